/** The pair of sockets by which packets reach node in the poll phase. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import "../../arithmetic.js";
import { Relay } from "./relay.js";

test("a relay is opened also if memory is collected and used again before the kernel has what is written", async () => {
  setFlagsFromString("--expose-gc");
  const gc = runInNewContext("gc") as () => void;
  for (let round = 0; round < 3; round++) {
    const found = await new Promise<Relay | undefined>((done) => {
      let turns = 0;
      const others: ArrayBuffer[] = [];
      const look = (): void => {
        gc();
        for (let at = 0; at < 300; at++) others.push(new ArrayBuffer(36));
        if (++turns === 20) done(undefined);
        else setImmediate(look);
      };
      Relay.open(done);
      setImmediate(look);
    });
    assert.ok(found instanceof Relay, `round ${round}`);
  }
});
