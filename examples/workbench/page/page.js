"use strict";
// What the page shows is what the Editor last said: all objects at first, then those that changed. All text of objects
// is put in as text; nothing of them becomes markup.

const objects = new Map(); // id -> object
let commit = 0;
let ready = false;
const drafts = new Map(); // section's id -> {text, seen, said}: what is being written
let shown = { file: 0, aim: 0, noted: false, hidden: false, find: "" };

const at = (id) => document.getElementById(id);
const isSection = (object) => ["Function", "Class", "Text"].includes(object.class);
const named = (object) => object.name || `(${object.class.toLowerCase()})`;

// ---- To and from the Editor ----

const stream = new EventSource("/events");

stream.addEventListener("state", (event) => {
  const said = JSON.parse(event.data);
  objects.clear();
  for (const object of said.objects) objects.set(object.id, object);
  commit = said.commit;
  ready = true;
  index();
  sayStatus();
  show();
});

stream.addEventListener("change", (event) => {
  const said = JSON.parse(event.data);
  const touched = new Set();
  const touch = (object) => {
    if (!object) return;
    touched.add(object.id);
    for (const key of ["on", "from", "to"]) if (object[key]) touched.add(object[key]);
  };
  for (const object of said.objects) {
    touch(objects.get(object.id));
    objects.set(object.id, object);
    touch(object);
  }
  for (const id of said.gone) {
    touch(objects.get(id));
    objects.delete(id);
  }
  commit = said.commit;
  index();
  show(touched);
});

stream.addEventListener("away", (event) => {
  ready = false;
  sayStatus(JSON.parse(event.data).why);
});
stream.onerror = () => {
  ready = false;
  sayStatus("the Editor does not answer");
};

function sayStatus(why) {
  at("status").textContent = why ? `away: ${why}` : `${objects.size} objects`;
  at("status").classList.toggle("away", Boolean(why));
}

// Returns why it was refused, or nothing.
async function propose(changes, seen = commit) {
  try {
    const answer = await fetch("/edit", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ seen, changes }),
    });
    const said = await answer.json();
    return answer.ok ? "" : said.refused;
  } catch (error) {
    return String(error);
  }
}

// ---- What belongs to what ----

let notesOn = new Map();
let linksFrom = new Map();
let linksTo = new Map();
let sectionsOf = new Map();

function index() {
  const group = (key, fits) => {
    const groups = new Map();
    for (const object of objects.values()) {
      if (!fits(object) || !object[key]) continue;
      if (!groups.has(object[key])) groups.set(object[key], []);
      groups.get(object[key]).push(object);
    }
    return groups;
  };
  notesOn = group("on", (object) => object.class === "Note");
  linksFrom = group("from", (object) => object.class === "Link");
  linksTo = group("to", (object) => object.class === "Link");
  sectionsOf = group("file", isSection);
  for (const list of sectionsOf.values()) list.sort((a, b) => a.place - b.place || a.id - b.id);
  for (const id of drafts.keys()) if (!objects.has(id)) drafts.delete(id);
}

// ---- Showing ----

function make(tag, properties = {}, ...inside) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.includes("-") || name === "role") element.setAttribute(name, value);
    else element[name] = value;
  }
  element.append(...inside);
  return element;
}

function chosen() {
  const all = shown.find || shown.noted ? [...sectionsOf.values()].flat() : (sectionsOf.get(shown.file) ?? []);
  return all.filter((section) => {
    if (shown.noted && !notesOn.has(section.id)) return false;
    if (shown.find && !named(section).includes(shown.find)) return false;
    return shown.hidden || !section.hidden || section.id === shown.aim;
  });
}

// With `touched`, only what these objects say is made anew.
function show(touched) {
  const files = [...objects.values()].filter((object) => object.class === "File");
  files.sort((a, b) => (a.path < b.path ? -1 : 1));
  if (!objects.has(shown.file)) shown.file = files[0]?.id ?? 0;
  at("files").replaceChildren(
    ...files
      .filter((file) => !shown.find || file.path.includes(shown.find) || chosenIn(file.id))
      .map((file) => {
        const link = make("a", { href: `#file=${file.id}`, textContent: file.path });
        if (file.id === shown.file && !shown.find && !shown.noted) link.setAttribute("aria-current", "page");
        return make("li", {}, link);
      }),
  );
  const broken = [...objects.values()].filter((object) => object.class === "Rules" && object.error);
  at("broken").hidden = broken.length === 0;
  at("broken").textContent = broken.map((rules) => `${rules.error}\nThe rules stay as they were.`).join("\n");
  for (const name of ["noted", "hidden"]) at(name).setAttribute("aria-pressed", String(shown[name]));
  if (ready) sayStatus();

  const before = new Map([...at("sections").children].map((element) => [Number(element.dataset.id), element]));
  const now = chosen().map((section) => {
    const old = before.get(section.id);
    return old && touched && !touched.has(section.id) ? old : sectionElement(section);
  });
  const focus = focused();
  // Only what differs is moved, so that what is being written in stays where it is.
  now.forEach((element, place) => {
    if (at("sections").children[place] !== element)
      at("sections").insertBefore(element, at("sections").children[place] ?? null);
  });
  while (at("sections").children.length > now.length) at("sections").lastChild.remove();
  if (focus) refocus(focus);
}

const chosenIn = (file) => (sectionsOf.get(file) ?? []).some((section) => named(section).includes(shown.find));

function focused() {
  const element = document.activeElement;
  const section = element?.closest("section");
  if (!section || !["TEXTAREA", "INPUT"].includes(element.tagName)) return null;
  return { id: section.id, tag: element.tagName, start: element.selectionStart, end: element.selectionEnd };
}

function refocus({ id, tag, start, end }) {
  const element = at(id)?.querySelector(tag);
  if (!element || element === document.activeElement) return;
  element.focus({ preventScroll: true });
  element.setSelectionRange(start, end);
}

function sectionElement(section) {
  const { id } = section;
  const fixed = Boolean(section.fixed || section.readonly);
  const draft = drafts.get(id);
  const notes = notesOn.get(id) ?? [];
  const element = make("section", { id: `s${id}`, "data-id": id, "aria-label": `${section.class} ${named(section)}` });
  element.classList.toggle("marked", notes.some((note) => note.rule));
  element.classList.toggle("aim", id === shown.aim);

  const said = make("div", { className: "said", role: "alert", textContent: draft?.said ?? "" });
  const tell = (why) => {
    said.textContent = why ? `Refused: ${why}` : "";
  };
  const change = async (set) => tell(await propose([{ id, set }]));
  const button = (text, act, label) => make("button", { type: "button", textContent: text, onclick: act, "aria-label": label });

  const name = make("input", { className: "name", value: section.name ?? "", readOnly: fixed, spellcheck: false });
  name.setAttribute("aria-label", "name");
  name.onchange = async () => {
    if (name.value === (section.name ?? "")) return;
    const why = await propose([{ id, set: { name: name.value } }]);
    tell(why);
    if (why) name.value = objects.get(id)?.name ?? "";
  };

  const text = make("textarea", { value: draft?.text ?? section.source ?? "", readOnly: fixed, spellcheck: false });
  text.setAttribute("aria-label", "source");
  text.rows = Math.min(30, Math.max(1, text.value.split("\n").length));
  const save = button("Save", async () => {
    const own = drafts.get(id);
    if (!own) return;
    const why = await propose([{ id, set: { source: own.text } }], own.seen);
    if (why) {
      own.said = `Refused: ${why}`;
      tell(why);
    } else {
      drafts.delete(id);
      const current = objects.get(id);
      if (current) show(new Set([id]));
    }
  });
  const revert = button("Revert", () => {
    drafts.delete(id);
    show(new Set([id]));
  });
  const buttonsOfDraft = () => {
    save.hidden = revert.hidden = !drafts.has(id);
  };
  text.oninput = () => {
    const own = drafts.get(id) ?? { seen: commit, base: section.source, said: "" };
    own.text = text.value;
    drafts.set(id, own);
    if (text.value === (section.source ?? "")) drafts.delete(id);
    buttonsOfDraft();
  };
  text.onkeydown = (event) => {
    if ((event.ctrlKey || event.metaKey) && event.key === "s") {
      event.preventDefault();
      save.click();
    }
  };
  buttonsOfDraft();

  const hide = button(section.hidden ? "Unhide" : "Hide", () => change({ hidden: section.hidden ? 0 : 1 }));
  const lock = button(section.readonly ? "Unlock" : "Lock", () => change({ readonly: section.readonly ? 0 : 1 }));
  const note = button("Note", async () => {
    const line = make("input", { className: "new-note", placeholder: "a note; Enter" });
    line.setAttribute("aria-label", "new note");
    line.onkeydown = async (event) => {
      if (event.key === "Escape") line.remove();
      if (event.key !== "Enter" || !line.value) return;
      const why = await propose([{ new: "Note", set: { on: id, text: line.value } }]);
      tell(why);
      if (!why) line.remove();
    };
    element.append(line);
    line.focus();
  });
  const below = button("Add below", async () => {
    const list = sectionsOf.get(section.file) ?? [];
    const next = list[list.findIndex((each) => each.id === id) + 1];
    const place = next ? (section.place + next.place) / 2 : section.place + 1;
    tell(await propose([{ new: "Text", set: { file: section.file, place, name: "", source: "\n" } }]));
  });
  const erase = button("Remove", async () => tell(await propose([{ erase: id }])));
  const file = objects.get(section.file);
  const head = make(
    "div",
    { className: "head" },
    make("span", { className: "class", textContent: section.class }),
    name,
    save,
    revert,
    hide,
    lock,
    note,
    below,
    erase,
    make("span", { className: "place", textContent: `${file?.path ?? ""}, ${section.lines ?? 0} lines` }),
  );
  element.append(head, said);
  if (section.fixed) element.append(make("div", { className: "why", textContent: `Read only: ${section.fixed}.` }));
  if (draft && section.source !== draft.base && draft.base !== undefined)
    element.append(make("div", { className: "meanwhile", textContent: "It has been changed meanwhile." }));
  if (notes.length) element.append(noteList(notes, tell));
  if (!section.fixed) element.append(text);
  element.append(...linkLines(id));
  return element;
}

function noteList(notes, tell) {
  return make(
    "ul",
    { className: "notes" },
    ...notes.map((note) => {
      const line = make("li", {}, make("span", { textContent: (note.rule ? `${note.rule}: ` : "") + (note.text ?? "") }));
      if (!note.rule) {
        const remove = make("button", { type: "button", textContent: "Forget", onclick: async () => tell(await propose([{ erase: note.id }])) });
        remove.setAttribute("aria-label", "remove the note");
        line.append(" ", remove);
      }
      return line;
    }),
  );
}

function linkLines(id) {
  const line = (what, links, end) => {
    if (!links.length) return [];
    const words = links.map((link) => {
      const other = objects.get(link[end]);
      if (!other) return make("span", { className: "gone", textContent: link.name ?? "", title: "not there any more" });
      const text = end === "to" ? (link.name ?? named(other)) : named(other);
      const anchor = make("a", { href: `#section=${other.id}`, textContent: text });
      if (link.state === "renamed") {
        anchor.className = "renamed";
        anchor.title = `now ${named(other)}`;
      }
      return anchor;
    });
    return [make("div", { className: `links ${what.replace(" ", "-")}` }, make("span", { className: "class", textContent: `${what}: ` }), ...words)];
  };
  return [...line("refers to", linksFrom.get(id) ?? [], "to"), ...line("used by", linksTo.get(id) ?? [], "from")];
}

// ---- Going somewhere ----

function go() {
  const [, what, number] = /^#(file|section)=(\d+)$/.exec(location.hash) ?? [];
  if (!what) return;
  const id = Number(number);
  const section = what === "section" ? objects.get(id) : undefined;
  shown = { ...shown, file: section ? section.file : id, aim: section ? id : 0, noted: false, find: "" };
  at("find").value = "";
  show();
  const element = section && at(`s${id}`);
  element?.scrollIntoView({ block: "center" });
}
window.addEventListener("hashchange", go);
stream.addEventListener("state", go);

at("find").oninput = () => {
  shown.find = at("find").value;
  show();
};
for (const name of ["noted", "hidden"])
  at(name).onclick = () => {
    shown[name] = !shown[name];
    show();
  };
