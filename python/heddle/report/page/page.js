"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const by = (id) => document.getElementById(id);
  const make = (tag, text, name) => {
    const element = document.createElement(tag);
    if (text !== undefined) element.textContent = text;
    if (name) element.className = name;
    return element;
  };
  const meanings = {
    never: "They run at the same time, whatever their sessions.",
    session: "They run at the same time when their sessions differ, one after the other within a session.",
    always: "They run one after the other, whatever their sessions.",
  };

  // The matrix: one cell has the tab stop, arrow keys move it, the element itself says which pair it is.
  const size = data.handlers.length;
  const cells = [...document.querySelectorAll("#matrix td[role=gridcell]")];
  const cell = (a, b) => cells[a * size + b];
  const conflicts = (a, b) => data.pairs[a < b ? `${a},${b}` : `${b},${a}`] || [];
  const verdict = (element) => element.classList[0];
  let current = 0;

  const label = (index) => {
    const [a, b] = [Math.floor(index / size), index % size];
    const count = conflicts(a, b).length;
    const objects = count === 1 ? "1 object" : `${count} objects`;
    return `${data.handlers[a]} and ${data.handlers[b]}: ${verdict(cells[index])}, ${objects}`;
  };
  const focus = (index) => {
    cells[current].tabIndex = -1;
    current = index;
    cells[current].tabIndex = 0;
    cells[current].setAttribute("aria-label", label(current));
    cells[current].focus();
  };
  const steps = {
    ArrowLeft: (i) => (i % size ? i - 1 : i),
    ArrowRight: (i) => (i % size < size - 1 ? i + 1 : i),
    ArrowUp: (i) => (i >= size ? i - size : i),
    ArrowDown: (i) => (i + size < cells.length ? i + size : i),
    Home: (i) => i - (i % size),
    End: (i) => i - (i % size) + size - 1,
    PageUp: (i) => i % size,
    PageDown: (i) => cells.length - size + (i % size),
  };

  // The paths of one pair.
  const source = (file, line) => {
    const known = data.lines[file];
    if (!known || !known[line]) return null;
    const block = make("pre");
    for (let n = line - 2; n <= line + 2; n += 1) {
      if (known[n] === undefined) continue;
      const row = make("span", `${String(n).padStart(6)}  ${known[n]}\n`, n === line ? "here" : "");
      block.append(row);
    }
    return block;
  };
  const shownAccess = (number) => {
    const access = data.accesses[number];
    const box = make("div", undefined, "access");
    box.append(make("strong", `${data.handlers[access.handler]}: ${access.deed}`));
    const list = make("ol");
    for (const [name, file, line] of access.path) {
      const item = make("li");
      item.append(make("code", name), " ", make("code", `${file}:${line}`));
      const text = source(file, line);
      if (text) item.append(text);
      list.append(item);
    }
    box.append(list);
    if (access.how) box.append(make("p", access.how, "how"));
    return box;
  };
  const show = (index) => {
    const [a, b] = [Math.floor(index / size), index % size];
    const found = verdict(cells[index]);
    cells.forEach((element) => element.removeAttribute("aria-selected"));
    cells[index].setAttribute("aria-selected", "true");
    by("pair-title").textContent = `${data.handlers[a]} and ${data.handlers[b]}: ${found}`;
    by("pair-meaning").textContent = meanings[found];
    const list = by("pair-conflicts");
    list.replaceChildren();
    const wanted = by("by-object").value.toLowerCase();
    const entries = conflicts(a, b).filter((entry) => data.objects[entry[0]].name.toLowerCase().includes(wanted));
    entries.sort((x, y) => (x[1] === "always" ? 0 : 1) - (y[1] === "always" ? 0 : 1));
    for (const [object, strength, first, second, hidden] of entries) {
      const part = make("details");
      part.open = list.childElementCount < 3;
      const title = make("summary");
      title.append(make("code", data.objects[object].name), ` (${data.objects[object].is}): ${strength}`);
      if (hidden) title.append(" (left out of reports)");
      part.append(title, shownAccess(first));
      if (second !== first) part.append(shownAccess(second));
      else part.append(make("p", "(in two invocations at once)", "how"));
      list.append(part);
    }
    if (!entries.length && found === "always") {
      list.append(make("p", "Nothing is said about this pair, and what is not said is treated as a conflict."));
    }
    by("pair").hidden = false;
    by("pair").focus();
  };

  by("matrix").addEventListener("keydown", (event) => {
    if (steps[event.key]) {
      event.preventDefault();
      focus(steps[event.key](current));
    } else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      show(current);
    }
  });
  by("matrix").addEventListener("click", (event) => {
    const index = cells.indexOf(event.target.closest("td[role=gridcell]"));
    if (index < 0) return;
    focus(index);
    show(index);
  });
  by("pair").addEventListener("keydown", (event) => {
    if (event.key === "Escape") focus(current);
  });

  // Filters dim what does not match; the matrix keeps its shape.
  const inCause = (number) => {
    const pairs = new Set();
    for (const [a, b] of data.causes[number]) pairs.add(`${a},${b}`).add(`${b},${a}`);
    return pairs;
  };
  const filter = () => {
    const handler = by("by-handler").value.toLowerCase();
    const object = by("by-object").value.toLowerCase();
    const cause = by("by-cause").value === "" ? null : inCause(Number(by("by-cause").value));
    const verdicts = new Set([...document.querySelectorAll("[name=verdict]:checked")].map((box) => box.value));
    let count = 0;
    for (let a = 0; a < size; a += 1) {
      for (let b = 0; b < size; b += 1) {
        const named = [a, b].some((one) => data.handlers[one].toLowerCase().includes(handler));
        const held = !object || conflicts(a, b).some((entry) => data.objects[entry[0]].name.toLowerCase().includes(object));
        const on = named && held && verdicts.has(verdict(cell(a, b))) && (!cause || cause.has(`${a},${b}`));
        cell(a, b).classList.toggle("off", !on);
        if (on && a <= b) count += 1;
      }
    }
    by("shown").textContent = `${count} of ${(size * (size + 1)) / 2} pairs`;
  };
  by("filters").addEventListener("input", filter);
  by("filters").addEventListener("submit", (event) => event.preventDefault());
  by("filters").addEventListener("reset", () => setTimeout(filter));
  document.querySelectorAll(".show-cause").forEach((button) => {
    button.hidden = false;
    button.addEventListener("click", () => {
      by("by-cause").value = button.dataset.cause;
      filter();
      const first = cells.findIndex((element) => !element.classList.contains("off"));
      focus(Math.max(0, first));
    });
  });

  // Light or dark: as the system says, until the reader says otherwise.
  const system = window.matchMedia("(prefers-color-scheme: dark)");
  const theme = by("theme");
  const dark = () => (document.documentElement.dataset.theme || (system.matches ? "dark" : "light")) === "dark";
  const told = () => theme.setAttribute("aria-pressed", String(dark()));
  theme.addEventListener("click", () => {
    document.documentElement.dataset.theme = dark() ? "light" : "dark";
    told();
  });
  system.addEventListener("change", told);
  told();

  cells.forEach((element) => {
    element.tabIndex = -1;
  });
  if (cells.length) {
    cells[0].tabIndex = 0;
    cells[0].setAttribute("aria-label", label(0));
  }
  for (const id of ["theme", "filters", "keys"]) by(id).hidden = false;
  filter();
})();
