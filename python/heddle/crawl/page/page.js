"use strict";
// Adds what plain HTML has not: tables that can be sorted by a column, and a filter over the broken URLs.
(() => {
  const value = (row, column) => {
    const cell = row.cells[column];
    return cell.dataset.value === undefined ? cell.textContent : Number(cell.dataset.value);
  };
  const compare = (a, b) => (typeof a === "number" ? a - b : a.localeCompare(b));

  for (const table of document.querySelectorAll("table.sortable")) {
    [...table.tHead.rows[0].cells].forEach((head, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = head.textContent;
      head.replaceChildren(button);
      button.addEventListener("click", () => {
        const down = head.getAttribute("aria-sort") === "ascending";
        for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
        head.setAttribute("aria-sort", down ? "descending" : "ascending");
        const rows = [...table.tBodies[0].rows];
        rows.sort((a, b) => compare(value(a, column), value(b, column)) * (down ? -1 : 1));
        table.tBodies[0].append(...rows);
      });
    });
  }

  const form = document.getElementById("filters");
  if (form) {
    const words = document.getElementById("by-url");
    const shown = document.getElementById("shown");
    const rows = [...document.getElementById("broken").tBodies[0].rows];
    const apply = () => {
      const wanted = words.value.toLowerCase();
      let count = 0;
      for (const row of rows) {
        row.hidden = !row.textContent.toLowerCase().includes(wanted);
        if (!row.hidden) count += 1;
      }
      shown.textContent = `${count} of ${rows.length}`;
    };
    form.hidden = false;
    words.addEventListener("input", apply);
    form.addEventListener("submit", (event) => event.preventDefault());
    apply();
  }
})();
