#include "crawler/frontier/redis_script.hpp"

namespace heddle::crawler {

const std::string_view kRedisScript = R"lua(#!lua
-- The first line has Redis refuse all of it, not some of its writes, when it has no memory left.
local URL, HOST, DEPTH, HOPS, FLAGS, STATE, TRIES, DUE = 1, 2, 3, 4, 5, 6, 7, 8
-- A wish for more behind the next fetch (none: -1); where it was found; the redirects that led to it.
local AGAIN_WANT, AGAIN_DEPTH, REFERRER, CHAIN = 9, 10, 11, 12
-- The last lease: its session ('' when it is over), its number, and as what it was leased.
local HOLDER, LEASE, LEASED_DEPTH, LEASED_FLAGS, CHANGED = 13, 14, 15, 16, 17
local QUEUED, WAITING = 0, 1
local GIVEN, CHECK_ONLY, RESOURCE, SITEMAP, RECORDED, INCOMPLETE, UNFOUND = 1, 2, 4, 8, 16, 32, 64
local BUSY_LOOK = 1000  -- an owned host is looked at again after so long; whoever gives it back says when to, earlier
local RELEASED_AT_A_TIME = 200
local HUNGRY = 300  -- who asked for hosts in vain, and has not come again for so long, has something to do
local REMEMBERED = 7 * 24 * 3600 * 1000  -- how long the number of a session's last exchange is
local MOST_STEP = 15000  -- processes that live are heard of more often
local MOST_PAGES = 1000  -- named in one reply

local call, band, bor, bnot = redis.call, bit.band, bit.bor, bit.bnot
local P = KEYS[1]
local q = cmsgpack.unpack(ARGV[1])
local me = q.session
local now  -- of an exchange

-- Counts -------------------------------------------------------------------------------------------------------------

local N, changed = {}, {}
local stored = call('HGETALL', P .. 'n')
for at = 1, #stored, 2 do N[stored[at]] = tonumber(stored[at + 1]) end

local function n(name) return N[name] or 0 end
local function add(name, by)
  N[name] = n(name) + by
  changed[name] = true
end
local function count(kind, depth, by)
  add(kind, by)
  add(kind .. depth, by)
end
local function keep_counts()
  for name in pairs(changed) do
    if N[name] ~= 0 then
      call('HSET', P .. 'n', name, N[name])
    else
      call('HDEL', P .. 'n', name)
      -- No host has anything there; those that it names were looked at last when they had.
      if string.match(name, '^[qw]%d+$') then call('UNLINK', P .. 'h' .. name) end
    end
  end
end

-- The frontier's clock: Redis's, without its steps. Where that was set back, it goes on from where it is; where it was
-- set forward, or nobody called for a while, no session ends by more than one step, for those that live may be renewed.
local function tell_time()
  local wall = q.clock
  if not wall then
    local time = call('TIME')
    wall = time[1] * 1000 + math.floor(time[2] / 1000)
  end
  local went = wall - n('wall')
  if n('wall') > 0 and not q.leaps then went = math.min(math.max(went, 0), MOST_STEP) end
  add('clock', went)
  add('wall', wall - n('wall'))
  return n('clock')
end

local function places() return n('pages') + n('places') < q.max_pages end
local function needs_place(flags) return band(flags, SITEMAP + RECORDED) == 0 end
local function finished() return n('l') == 0 and n('w') == 0 and (n('q') == 0 or not places()) end
-- The least depth that has something to do.
local function level()
  local least
  local open = places()
  for name, value in pairs(N) do
    local kind, depth = string.match(name, '^([qwl])(%d+)$')
    if kind and value ~= 0 and (kind ~= 'q' or open) then
      depth = tonumber(depth)
      if not least or depth < least then least = depth end
    end
  end
  return least or 0
end

local function want_of(flags)
  if band(flags, CHECK_ONLY) ~= 0 then return 2 end
  return band(flags, RESOURCE) ~= 0 and 1 or 0
end
local function with_want(flags, want)
  local rest = band(flags, bnot(CHECK_ONLY + RESOURCE))
  if want == 2 then return bor(rest, CHECK_ONLY) end
  return want == 1 and bor(rest, RESOURCE) or rest
end

-- Rows ---------------------------------------------------------------------------------------------------------------

local function mark_of(key)
  local a, b, c = string.byte(key, 1, 3)
  return P .. 'u' .. (a * 1024 + b * 4 + c % 4), string.sub(key, 3)
end
-- Of a URL that is to be done: a way in which it was found, so that most that find it again need not look at its row.
local function mark_live(key, depth, want, hops)
  local bucket, field = mark_of(key)
  call('HSET', bucket, field, 'L' .. depth .. ',' .. want .. ',' .. hops)
end
local function covers(mark, found)
  local depth, want, hops = string.match(mark, '^L(%d+),(%d),(%d+)$')
  depth = tonumber(depth)
  return (depth < found[4] or (depth == found[4] and tonumber(hops) <= found[5])) and
         tonumber(want) <= want_of(found[6]) and band(found[6], GIVEN) == 0
end
local function is_live(mark) return string.sub(mark, 1, 1) == 'L' end
local function load(key)
  local packed = call('HGET', P .. 'jobs', key)
  return packed and cmsgpack.unpack(packed)
end
local function save(key, row) call('HSET', P .. 'jobs', key, cmsgpack.pack(row)) end

-- A text that begins with the host is kept without it.
local function short(text, host)
  return string.sub(text, 1, #host + 1) == host .. '/' and string.sub(text, #host + 1) or text
end
local function long(text, host) return string.sub(text, 1, 1) == '/' and host .. text or text end

local function enqueue(key, row, first)
  local where = row[DEPTH] .. ':' .. row[HOST]
  if row[STATE] == QUEUED then
    call(first and 'LPUSH' or 'RPUSH', P .. 'q' .. where, key)
    call('ZADD', P .. 'hq' .. row[DEPTH], 'LT', 0, row[HOST])
    count('q', row[DEPTH], 1)
  else
    call('ZADD', P .. 'w' .. where, row[DUE], key)
    call('ZADD', P .. 'hw' .. row[DEPTH], 'LT', row[DUE], row[HOST])
    count('w', row[DEPTH], 1)
  end
end
-- A key that stays in the list of queued ones is left out when its turn comes.
local function dequeue(key, row)
  if row[STATE] == WAITING then call('ZREM', P .. 'w' .. row[DEPTH] .. ':' .. row[HOST], key) end
  count(row[STATE] == QUEUED and 'q' or 'w', row[DEPTH], -1)
end

-- What is known ------------------------------------------------------------------------------------------------------

local function new_row(found, referrer, chain)
  local hops = found[5]
  return {short(found[2], found[3]), found[3], found[4], hops, found[6], QUEUED, 0, 0, -1, 0,
          short(referrer, found[3]), hops > 0 and chain or {}, '', 0, 0, 0, 0}
end

-- A URL that was done is to be fetched once more, without a second record.
local function want_again(key, row, want)
  row[STATE], row[TRIES], row[DUE], row[LEASE], row[HOLDER] = WAITING, 0, 0, 0, ''
  local flags = band(row[FLAGS], bnot(INCOMPLETE + UNFOUND))
  row[FLAGS] = bor(with_want(flags, want), RECORDED)
  row[AGAIN_WANT], row[AGAIN_DEPTH] = -1, 0
  enqueue(key, row)
  save(key, row)
  mark_live(key, row[DEPTH], want, row[HOPS])
end

-- Adds a wish to a URL that is to be done; see wishes.hpp. Returns whether the row changed.
local function merge(row, found, referrer, chain)
  local had, wanted = want_of(row[FLAGS]), want_of(found[6])
  if band(row[FLAGS], RECORDED) ~= 0 and wanted > had then return false end
  local flags, again_want, again_depth = row[FLAGS], row[AGAIN_WANT], row[AGAIN_DEPTH]
  row[FLAGS] = bor(row[FLAGS], band(found[6], GIVEN))
  local later_want, later_depth = wanted, found[4]
  local sooner = found[4] < row[DEPTH] or (found[4] == row[DEPTH] and (wanted < had or
                 (wanted == had and found[5] < row[HOPS])))
  if sooner then
    later_want, later_depth = had, row[DEPTH]
    row[DEPTH], row[HOPS] = found[4], found[5]
    row[REFERRER], row[CHAIN] = short(referrer, row[HOST]), found[5] > 0 and chain or {}
    row[FLAGS] = with_want(row[FLAGS], wanted)
  end
  local has = want_of(row[FLAGS])
  if later_want < has and (row[AGAIN_WANT] == -1 or later_want < row[AGAIN_WANT] or
     (later_want == row[AGAIN_WANT] and later_depth < row[AGAIN_DEPTH])) then
    row[AGAIN_WANT], row[AGAIN_DEPTH] = later_want, later_depth
  end
  if row[AGAIN_WANT] >= has then row[AGAIN_WANT], row[AGAIN_DEPTH] = -1, 0 end
  return sooner or flags ~= row[FLAGS] or again_want ~= row[AGAIN_WANT] or again_depth ~= row[AGAIN_DEPTH]
end

local function found_again(key, found, referrer, chain)
  local row = load(key)
  local before = row[DEPTH]
  if not merge(row, found, referrer, chain) then return end
  local now_at = row[DEPTH]
  row[CHANGED] = 1
  if row[HOLDER] == '' and now_at ~= before then
    row[DEPTH] = before
    dequeue(key, row)
    row[DEPTH] = now_at
    enqueue(key, row)
  end
  save(key, row)
end

local function page_number(url)
  if url == '' then return 0 end
  local number = call('HGET', P .. 'page', url)
  if number then return number end
  add('numbered', 1)
  call('HSET', P .. 'page', url, n('numbered'), n('numbered'), url)
  return n('numbered')
end

local function find(found, referrer, chain)
  local key = found[1]
  local bucket, field = mark_of(key)
  local mark = call('HGET', bucket, field)
  if not mark then
    local row = new_row(found, referrer, chain)
    if band(found[6], SITEMAP) ~= 0 then row[STATE] = WAITING end
    mark_live(key, found[4], want_of(found[6]), found[5])
    add('known', 1)
    enqueue(key, row)
    save(key, row)
  elseif is_live(mark) then
    if not covers(mark, found) then found_again(key, found, referrer, chain) end
  else
    local flags = tonumber(string.sub(mark, 2))
    local want = want_of(found[6])
    local more = band(flags, INCOMPLETE) ~= 0 and want < want_of(flags)
    if more or band(flags, UNFOUND) ~= 0 then
      local row = new_row(found, referrer, chain)
      row[FLAGS] = bor(flags, band(found[6], GIVEN))
      want_again(key, row, want)
    end
  end
  if q.check then call('SADD', P .. 'l' .. key, page_number(referrer)) end
end

local function find_all(all, referrer, chain)
  for _, found in ipairs(all) do find(found, referrer, chain) end
end

-- Leases -------------------------------------------------------------------------------------------------------------

local function lease(key, row)
  count(row[STATE] == QUEUED and 'q' or 'w', row[DEPTH], -1)
  count('l', row[DEPTH], 1)
  if row[STATE] == QUEUED and needs_place(row[FLAGS]) then add('places', 1) end
  add('leases', 1)
  row[HOLDER], row[LEASE], row[LEASED_DEPTH], row[LEASED_FLAGS] = me, n('leases'), row[DEPTH], row[FLAGS]
  row[CHANGED] = row[AGAIN_WANT] ~= -1 and 1 or 0
  call('SADD', P .. 'held:' .. me, key)
  save(key, row)
  return {key, long(row[URL], row[HOST]), row[REFERRER] == '' and '' or long(row[REFERRER], row[HOST]), row[CHAIN],
          row[DEPTH], row[HOPS], row[TRIES], row[FLAGS], row[LEASE], row[STATE]}
end
local function end_lease(key, row)
  call('SREM', P .. 'held:' .. row[HOLDER], key)
  row[HOLDER] = ''
  count('l', row[LEASED_DEPTH], -1)
end
-- As if it had not been leased.
local function give_back(key)
  local row = load(key)
  end_lease(key, row)
  if row[STATE] == QUEUED and needs_place(row[FLAGS]) then add('places', -1) end
  enqueue(key, row, true)
  save(key, row)
end

-- Says when a look at the host is worth it, and whether any is.
local function rescore(depth, host, at)
  if call('EXISTS', P .. 'q' .. depth .. ':' .. host) == 1 then
    call('ZADD', P .. 'hq' .. depth, at, host)
  else
    call('ZREM', P .. 'hq' .. depth, host)
  end
  local first = call('ZRANGE', P .. 'w' .. depth .. ':' .. host, 0, 0, 'WITHSCORES')
  if first[1] then
    call('ZADD', P .. 'hw' .. depth, math.max(at, tonumber(first[2])), host)
  else
    call('ZREM', P .. 'hw' .. depth, host)
  end
end
local function own(host)
  call('HSET', P .. 'owner', host, me)
  call('SADD', P .. 'hosts:' .. me, host)
end
local function free_host(session, host, pause)
  if call('HGET', P .. 'owner', host) ~= session then return end
  call('HDEL', P .. 'owner', host)
  call('SREM', P .. 'hosts:' .. session, host)
  if pause > 0 then call('ZADD', P .. 'busy', now + pause, host) end
  rescore(level(), host, now + pause)
end

-- All that a session has; false if there is more than one call should do.
local function end_session(session, pause)
  for _, host in ipairs(call('SRANDMEMBER', P .. 'hosts:' .. session, RELEASED_AT_A_TIME)) do
    free_host(session, host, pause)
  end
  local keys = call('SRANDMEMBER', P .. 'held:' .. session, RELEASED_AT_A_TIME)
  for _, key in ipairs(keys) do give_back(key) end
  if call('EXISTS', P .. 'held:' .. session, P .. 'hosts:' .. session) > 0 then return false end
  call('ZREM', P .. 'sessions', session)
  return true
end
local function end_dead_sessions()
  for _, session in ipairs(call('ZRANGEBYSCORE', P .. 'sessions', '-inf', now, 'LIMIT', 0, 16)) do
    local pause = tonumber(call('HGET', P .. 'session:' .. session, 'pause') or 0)
    if not end_session(session, pause) then return end
  end
end
local function forget_sessions()
  for _, session in ipairs(call('ZRANGEBYSCORE', P .. 'remembered', '-inf', now, 'LIMIT', 0, 16)) do
    call('UNLINK', P .. 'session:' .. session)
    call('ZREM', P .. 'remembered', session)
  end
end

-- Puts up to `most` jobs of the host into `jobs`; where it waits for a place, the rest stays.
local function take(depth, host, most, jobs)
  local where = depth .. ':' .. host
  for _, key in ipairs(call('ZRANGEBYSCORE', P .. 'w' .. where, '-inf', now, 'LIMIT', 0, most)) do
    call('ZREM', P .. 'w' .. where, key)
    jobs[#jobs + 1] = lease(key, load(key))
  end
  while #jobs < most and places() do
    local key = call('LPOP', P .. 'q' .. where)
    if not key then break end
    local row = load(key)
    if row and row[HOLDER] == '' and row[STATE] == QUEUED and row[DEPTH] == depth and row[HOST] == host then
      jobs[#jobs + 1] = lease(key, row)
    end
  end
end

local granted = {}
local room = {hosts = q.hosts, jobs = q.jobs}  -- for so much more
local function give(host, jobs)
  granted[#granted + 1] = {host, jobs}
  room.jobs = room.jobs - #jobs
end
local function grant_from(set, depth)
  if room.hosts <= 0 or room.jobs <= 0 then return end
  for _, host in ipairs(call('ZRANGEBYSCORE', P .. set .. depth, '-inf', now, 'LIMIT', 0, math.min(room.hosts, 256))) do
    if room.jobs <= 0 then return end
    local owned = q.exclusive and call('HGET', P .. 'owner', host)
    local busy = q.exclusive and tonumber(call('ZSCORE', P .. 'busy', host) or 0) or 0
    if owned then
      rescore(depth, host, now + BUSY_LOOK)
    elseif busy > now then
      rescore(depth, host, busy)
    else
      local jobs = {}
      take(depth, host, math.min(q.per_host, room.jobs), jobs)
      if #jobs > 0 then
        if q.exclusive then own(host) end
        give(host, jobs)
        room.hosts = room.hosts - 1
      end
      rescore(depth, host, q.exclusive and #jobs > 0 and now + BUSY_LOOK or now)
    end
  end
end
-- Jobs for a host that this process owns.
local function grant_more(depth, host)
  if room.shared or room.jobs <= 0 or call('HGET', P .. 'owner', host) ~= me then return end
  local jobs = {}
  take(depth, host, math.min(q.per_host, room.jobs), jobs)
  give(host, jobs)
end

-- While others ask in vain for hosts, nobody gets more than a share of them, or goes on with more.
local function share(depth)
  call('ZREMRANGEBYSCORE', P .. 'hungry', '-inf', now - HUNGRY)
  call('ZREM', P .. 'hungry', me)
  if not q.exclusive then return 0 end
  local named = call('ZCARD', P .. 'hq' .. depth) + call('ZCARD', P .. 'hw' .. depth)
  local hosts = math.max(named, call('HLEN', P .. 'owner'))
  local mine = math.ceil(hosts / math.max(call('ZCARD', P .. 'sessions'), 1))
  if call('ZCARD', P .. 'hungry') == 0 then return mine end
  local have = call('SCARD', P .. 'hosts:' .. me)
  room.hosts = math.min(room.hosts, math.max(mine - have, 0))
  room.shared = have > mine
  return mine
end
local function grant()
  local depth = level()
  local mine = share(depth)
  for _, host in ipairs(q.more) do grant_more(depth, host) end
  grant_from('hw', depth)
  if places() then grant_from('hq', depth) end
  if q.hosts > 0 and #granted == 0 and call('SCARD', P .. 'hosts:' .. me) < mine then
    call('ZADD', P .. 'hungry', now, me)
  end
end

-- What a process says ------------------------------------------------------------------------------------------------

local say = {}
local claimed = {}

-- Found at no page, or at the page of a job whose end comes later.
function say.put(op) find_all(op[2], op[3], op[4]) end

-- The end of a job. A lease that another one has followed decides nothing any more; its links are kept.
function say.ack(op)
  local key, number, counts, complete, broken, url = op[2], op[3], op[4], op[5], op[6], op[7]
  find_all(op[8], url, op[9])
  local row = load(key)
  if q.check and broken ~= '' and call('HSET', P .. 'what', key, cmsgpack.pack({url, broken})) == 1 then
    call('RPUSH', P .. 'broken', key)
  end
  if not row or row[LEASE] ~= number then return end
  local placed = needs_place(row[FLAGS])
  if row[HOLDER] ~= '' then
    end_lease(key, row)
    if placed then add('places', -1) end
  else
    dequeue(key, row)
    if placed and row[STATE] == WAITING then add('places', -1) end
  end
  if placed and counts then add('pages', 1) end
  local had = want_of(row[LEASED_FLAGS])
  if not complete and row[CHANGED] == 1 then
    local want, depth = row[AGAIN_WANT], row[AGAIN_DEPTH]
    if want == -1 then want, depth = want_of(row[FLAGS]), row[DEPTH] end
    if want < had then
      row[DEPTH], row[HOPS], row[CHAIN] = depth, 0, {}
      want_again(key, row, want)
      return
    end
  end
  call('HDEL', P .. 'jobs', key)
  local bucket, field = mark_of(key)
  call('HSET', bucket, field, 'd' .. (complete and row[LEASED_FLAGS] or bor(row[LEASED_FLAGS], INCOMPLETE)))
end

local function mine(key, number)
  local row = load(key)
  return row and row[LEASE] == number and row[HOLDER] == me and row
end

function say.retry(op)
  local key, delay = op[2], op[4]
  local row = mine(key, op[3])
  if not row then return end
  end_lease(key, row)
  row[STATE], row[DUE], row[TRIES] = WAITING, now + delay, row[TRIES] + 1
  enqueue(key, row)
  save(key, row)
end

-- Not asked for after all.
function say.back(op)
  if mine(op[2], op[3]) then give_back(op[2]) end
end

function say.recorded(op)
  local key = op[2]
  local bucket, field = mark_of(key)
  local mark = call('HGET', bucket, field)
  if not mark then
    call('HSET', bucket, field, 'd' .. (RECORDED + UNFOUND))
    add('known', 1)
    add('pages', 1)
    return
  end
  local row = is_live(mark) and load(key)
  if not row or band(row[FLAGS], RECORDED) ~= 0 then return end
  add('pages', 1)
  row[FLAGS] = bor(row[FLAGS], RECORDED)
  if row[HOLDER] ~= '' or row[STATE] == WAITING then add('places', -1) end
  if row[HOLDER] == '' then dequeue(key, row) end
  row[STATE], row[DUE] = WAITING, 0
  if row[HOLDER] == '' then enqueue(key, row) end
  save(key, row)
end

function say.rest(op) free_host(me, op[2], op[3]) end

-- A host that is to be asked for something that is no job.
function say.claim(op)
  local host = op[2]
  local owner = call('HGET', P .. 'owner', host)
  if owner and owner ~= me then return end
  if tonumber(call('ZSCORE', P .. 'busy', host) or 0) > now then return end
  own(host)
  claimed[#claimed + 1] = host
end

local function set_of(list)
  local set = {}
  for _, each in ipairs(list) do set[each] = true end
  return set
end
-- An earlier reply was lost: what it granted is given back.
local function take_back_lost()
  local leases, hosts = set_of(q.keep), set_of(q.keep_hosts)
  for _, key in ipairs(call('SMEMBERS', P .. 'held:' .. me)) do
    if not leases[load(key)[LEASE]] then give_back(key) end
  end
  for _, host in ipairs(call('SMEMBERS', P .. 'hosts:' .. me)) do
    if not hosts[host] then free_host(me, host, 0) end
  end
end

-- Calls --------------------------------------------------------------------------------------------------------------

local answer = {}

local function open()
  call('HSETNX', P .. 'meta', 'version', q.version)
  call('HSETNX', P .. 'meta', 'secret', q.secret)
  call('HSETNX', P .. 'meta', 'crawl', q.crawl)
  answer.version, answer.secret, answer.crawl = unpack(call('HMGET', P .. 'meta', 'version', 'secret', 'crawl'))
end

-- Pages by their numbers; of number 0 is who gave a URL.
local function pages_of(numbers)
  local pages = {}
  for at, number in ipairs(numbers) do
    pages[at] = tonumber(number) == 0 and '' or call('HGET', P .. 'page', number)
  end
  return pages
end
-- With their pages, if these are few enough to be named at once, and in the order of their numbers.
local function report_broken()
  local room = MOST_PAGES
  answer.broken = {}
  for _, key in ipairs(call('LRANGE', P .. 'broken', q.from, q.from + q.most - 1)) do
    local url, what = unpack(cmsgpack.unpack(call('HGET', P .. 'what', key)))
    local many = call('SCARD', P .. 'l' .. key)
    local pages = false
    if many <= room then
      local numbers = call('SMEMBERS', P .. 'l' .. key)
      table.sort(numbers, function(one, other) return tonumber(one) < tonumber(other) end)
      pages = pages_of(numbers)
      room = room - many
    end
    answer.broken[#answer.broken + 1] = {key, url, what, pages}
  end
end
-- Some of the numbers of the pages that link to a URL, and where to go on (SSCAN).
local function report_numbers()
  answer.cursor, answer.numbers = unpack(call('SSCAN', P .. 'l' .. q.key, q.cursor, 'COUNT', MOST_PAGES))
end

local function exchange()
  local session = P .. 'session:' .. me
  local last, sent = unpack(call('HMGET', session, 'last', 'sent'))
  if q.sent <= tonumber(sent or 0) then return end  -- came late: it was sent again, and that was answered
  -- An exchange that was answered is not known: Redis is back at an earlier point, where leases and links that this
  -- process was told of, or has told, never were.
  if q.number > tonumber(last or 0) + 1 then
    answer.lost = true
    return
  end
  now = tell_time()
  call('ZREMRANGEBYSCORE', P .. 'busy', '-inf', now)
  answer.new = tonumber(call('ZSCORE', P .. 'sessions', me) or 0) <= now
  end_dead_sessions()
  forget_sessions()
  if tonumber(last or 0) < q.number then
    for _, op in ipairs(q.say) do say[op[1]](op) end
  end
  if not q.leave then
    call('ZADD', P .. 'sessions', now + q.lease, me)
  elseif not end_session(me, q.pause) then
    call('ZADD', P .. 'sessions', 0, me)  -- the next call of anybody goes on with it
  end
  call('HSET', session, 'last', q.number, 'sent', q.sent, 'pause', q.pause)
  call('ZADD', P .. 'remembered', now + REMEMBERED, me)
  if q.keep then take_back_lost() end
  grant()
  answer.claimed, answer.granted, answer.finished = claimed, granted, finished()
  answer.level = level()
  for _, name in ipairs({'pages', 'q', 'w', 'l'}) do answer[name] = n(name) end
end

if q.call == 'open' then
  open()
elseif call('HGET', P .. 'meta', 'crawl') ~= q.crawl then
  answer.lost = true  -- emptied, or another crawl's by now
elseif q.call == 'broken' then
  report_broken()
elseif q.call == 'numbers' then
  report_numbers()
elseif q.call == 'pages' then
  answer.pages = pages_of(q.numbers)
else
  exchange()
end
keep_counts()
answer.known = n('known')
return cmsgpack.pack(answer)
)lua";

}  // namespace heddle::crawler
