"use strict";
/* The page: draws charts when they come into view, hides learners in all of them at once, sorts and
   filters the table of runs, and follows a running study. Text is only ever set as text, except
   for the parts that the server of a running study has escaped. */
(function () {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const byId = (id) => document.getElementById(id);
  const hidden = new Set();
  const drawn = new Map(); // element of a chart → its view
  let charts = JSON.parse(byId("charts").textContent);
  let printing = false;
  let generation = 0; // of the content; a chart of an earlier one is not drawn any more

  /* Data: the inverse of _pack.py. */
  function expanded(runs) {
    const values = [];
    for (let i = 0; i < runs.length; i += 2)
      for (let n = 0; n < runs[i + 1]; n++) values.push(runs[i]);
    return values;
  }
  function column(packed) {
    if (packed.names) return expanded(packed.runs).map((code) => packed.names[code]);
    if (packed.steps) {
      let sum = 0;
      return expanded(packed.steps).map((step) => (sum += step));
    }
    if (packed.scaled) {
      const unit = 10 ** packed.digits;
      return packed.scaled.map((value) => (value === null ? null : value / unit));
    }
    return packed.values;
  }
  function rowsOf(packed) {
    let rows = Array.from({ length: packed.n }, () => ({}));
    for (const [name, values] of Object.entries(packed.columns))
      column(values).forEach((value, i) => (rows[i][name] = value));
    return rows.filter((row) => !hidden.has(row.series));
  }

  /* Charts. */
  const inDark = { black: "#f2f2f2", white: "#14181c", "#b30000": "#ff7b6b" };
  function colour(text) {
    if (text in inDark) return inDark[text];
    const parts = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(text);
    if (!parts) return text;
    const levels = parts.slice(1).map((part) => parseInt(part, 16));
    if (Math.max(...levels) - Math.min(...levels) > 24) return text; // greys are turned over
    return `#${levels.map((level) => (247 - Math.round(level * 0.9)).toString(16).padStart(2, "0")).join("")}`;
  }
  function recoloured(part) {
    if (typeof part === "string") return colour(part);
    if (Array.isArray(part)) return part.map(recoloured);
    if (part === null || typeof part !== "object") return part;
    return Object.fromEntries(Object.entries(part).map(([key, each]) => [key, recoloured(each)]));
  }
  function narrowed(part, width) {
    if (part === null || typeof part !== "object") return;
    if (part.width > width) part.width = width;
    for (const key of ["layer", "vconcat", "hconcat", "concat"]) (part[key] || []).forEach((each) => narrowed(each, width));
    if (part.spec) narrowed(part.spec, width);
  }
  function themed(spec, element) {
    const night = dark.matches && !printing;
    const text = night ? "#e7eaee" : "#1d2329", line = night ? "#3a434d" : "#d5dae0";
    spec = night ? recoloured(spec) : structuredClone(spec);
    const config = (spec.config = spec.config || {});
    config.background = "transparent";
    config.axis = Object.assign(config.axis || {}, { labelColor: text, titleColor: text, gridColor: line, domainColor: line, tickColor: line });
    config.legend = Object.assign(config.legend || {}, { labelColor: text, titleColor: text });
    config.title = Object.assign(config.title || {}, { color: text, subtitleColor: text });
    config.text = Object.assign({ color: text }, config.text || {});
    const names = (spec.usermeta && spec.usermeta.names) || 0; // beside the lines
    const room = element.clientWidth - 68 - names; // for the labels of the axis
    if (element.clientWidth > 0 && room < 480) {
      narrowed(spec, Math.max(room, names ? 110 : 180));
      config.legend.columns = Math.max(1, Math.floor(room / 160));
    }
    return spec;
  }
  const tooltip = byId("tooltip");
  function showTooltip(handler, event, item, value) {
    tooltip.hidden = value === null || value === undefined || value === "";
    if (tooltip.hidden) return;
    const lines = typeof value === "object" ? Object.entries(value).map(([key, each]) => `${key}: ${each}`) : [String(value)];
    tooltip.replaceChildren(...lines.map((line) => {
      const part = document.createElement("div");
      part.textContent = line;
      return part;
    }));
    place(event.clientX, event.clientY);
  }
  function place(x, y) {
    const room = document.documentElement.clientWidth - tooltip.offsetWidth - 8;
    const below = document.documentElement.clientHeight - tooltip.offsetHeight - 8;
    tooltip.style.left = `${Math.max(0, Math.min(x + 12, room))}px`;
    tooltip.style.top = `${Math.max(0, Math.min(y + 12, below))}px`;
  }
  /* A cell of the matrix says more, with its curve, when it is pointed at or focused. */
  function showMore(event) {
    const cell = event.target.closest?.(".matrix td.number");
    if (!cell) return;
    tooltip.replaceChildren(...[...cell.querySelector(".more").children].map((each) => each.cloneNode(true)));
    tooltip.hidden = false;
    const box = cell.getBoundingClientRect();
    place(box.left, box.bottom);
  }
  document.addEventListener("pointerover", showMore);
  document.addEventListener("pointerout", (event) => event.target.closest?.(".matrix") && (tooltip.hidden = true));
  async function draw(element) {
    const chart = charts[Number(element.dataset.chart)];
    const mine = generation;
    const spec = themed(chart.spec, element);
    spec.datasets = Object.fromEntries(Object.entries(chart.data).map(([name, packed]) => [name, rowsOf(packed)]));
    const before = drawn.get(element);
    const options = { mode: "vega-lite", ast: true, renderer: "svg", actions: false, defaultStyle: false, tooltip: showTooltip, logLevel: 1 };
    drawn.set(element, null); // asked for
    const result = await vegaEmbed(element, spec, options);
    if (before) before.finalize();
    if (mine !== generation) return result.finalize();
    drawn.set(element, result);
    element.classList.add("drawn");
    if (element.scrollWidth > element.clientWidth) element.tabIndex = 0; // so that keys scroll it
    performance.mark("chart");
    element.querySelector("svg").setAttribute("aria-hidden", "true"); // the element's label says it all
  }
  /* One after the other, with a pause in which the browser paints and answers. */
  const waiting = new Set();
  let drawing = false;
  async function drawWaiting() {
    if (drawing) return;
    drawing = true;
    for (const element of waiting) {
      waiting.delete(element);
      if (element.isConnected && !drawn.has(element)) await draw(element);
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    }
    drawing = false;
  }
  const visible = new IntersectionObserver((seen) => {
    for (const each of seen)
      if (each.isIntersecting) waiting.add(each.target);
      else waiting.delete(each.target);
    drawWaiting();
  }, { rootMargin: "200px" });
  const elements = () => [...document.querySelectorAll(".chart")];
  function watchCharts() {
    visible.disconnect();
    elements().forEach((each) => visible.observe(each));
  }
  function redraw() {
    for (const element of elements()) if (drawn.has(element)) draw(element);
  }
  function refresh(element, result) {
    const chart = charts[Number(element.dataset.chart)];
    for (const [name, packed] of Object.entries(chart.data))
      if ("series" in packed.columns)
        result.view.data(name, rowsOf(packed));
    result.view.runAsync();
  }

  /* Learners: shown or hidden in all charts at once. */
  function markButtons() {
    for (const button of document.querySelectorAll("#series-buttons button"))
      button.setAttribute("aria-pressed", String(!hidden.has(button.dataset.series)));
  }
  function toggle(series) {
    if (!hidden.delete(series)) hidden.add(series);
    markButtons();
    for (const [element, result] of drawn) if (result) refresh(element, result);
  }
  document.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button) return;
    if (button.dataset.series !== undefined) toggle(button.dataset.series);
    else if (button.dataset.policy !== undefined) view.labels = button.dataset.policy, show(true);
    else if (button.closest(".sortable thead")) sortBy(button.closest("th"));
  });

  /* One label policy and one stream on the whole page; the address has both. */
  const view = { labels: null, stream: "" };
  const asked = new URLSearchParams(location.search);
  function choose() {
    const policies = [...document.querySelectorAll("#policies button")].map((each) => each.dataset.policy);
    const streams = [...document.querySelectorAll("#stream option")].map((each) => each.value);
    const labels = view.labels ?? asked.get("labels"), stream = view.stream || asked.get("stream");
    view.labels = policies.includes(labels) ? labels : policies[0] ?? null;
    view.stream = streams.includes(stream) ? stream : "";
  }
  function show(changed) {
    choose();
    for (const each of document.querySelectorAll("[data-labels], [data-stream]")) {
      const { labels, stream } = each.dataset;
      const elsewhere = (view.labels !== null && labels !== undefined && labels !== view.labels)
        || (view.stream !== "" && stream !== undefined && stream !== view.stream);
      each.classList.toggle("elsewhere", elsewhere);
    }
    for (const each of document.querySelectorAll("#policies button"))
      each.setAttribute("aria-pressed", String(each.dataset.policy === view.labels));
    if (byId("stream")) byId("stream").value = view.stream;
    const bar = document.querySelector(".bar");
    const fixed = bar && getComputedStyle(bar).position === "sticky";
    document.documentElement.style.setProperty("--bar", `${fixed ? bar.offsetHeight + 8 : 16}px`);
    if (!changed) return;
    const words = new URLSearchParams(location.search);
    for (const [name, text] of Object.entries(view))
      if (text) words.set(name, text);
      else words.delete(name);
    try {
      history.replaceState(null, "", `${location.pathname}${words.size ? `?${words}` : ""}${location.hash}`);
    } catch { /* a page that may not change its address */ }
  }
  document.addEventListener("change", (event) => {
    if (event.target.id !== "stream") return;
    asked.delete("stream");
    view.stream = event.target.value;
    show(true);
  });

  /* The table of runs. */
  const order = { column: null, descending: false };
  function value(row, place) {
    const cell = row.cells[place];
    if (cell.dataset.value !== undefined) return Number(cell.dataset.value);
    return cell.classList.contains("number") ? null : cell.textContent;
  }
  function compared(a, b) {
    if (a === null || b === null) return (a === null) - (b === null); // undefined last, either way
    const ahead = typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b), undefined, { numeric: true });
    return order.descending ? -ahead : ahead;
  }
  function sortBy(heading) {
    const again = heading.getAttribute("aria-sort");
    const number = document.querySelector("#runs-table tbody tr")?.cells[heading.cellIndex].classList.contains("number");
    order.descending = again === "none" ? Boolean(number) : again === "ascending";
    order.column = heading.textContent;
    sorted();
  }
  function sorted() {
    const table = byId("runs-table");
    if (!table || order.column === null) return;
    const headings = [...table.tHead.rows[0].cells];
    const place = headings.findIndex((each) => each.textContent === order.column);
    if (place < 0) return;
    headings.forEach((each, i) => each.setAttribute("aria-sort", i !== place ? "none" : order.descending ? "descending" : "ascending"));
    const rows = [...table.tBodies[0].rows];
    const values = new Map(rows.map((row) => [row, value(row, place)]));
    rows.sort((a, b) => compared(values.get(a), values.get(b)));
    table.tBodies[0].append(...rows);
  }
  function filtered() {
    const box = byId("filter"), table = byId("runs-table");
    if (!box || !table) return;
    const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const row of table.tBodies[0].rows) {
      const text = row.textContent.toLowerCase();
      row.hidden = !words.every((word) => text.includes(word));
      shown += !row.hidden;
    }
    byId("filtered").textContent = `${shown} of ${table.tBodies[0].rows.length} runs`;
  }
  document.addEventListener("input", (event) => event.target.id === "filter" && filtered());

  /* Light, dark, print. */
  dark.addEventListener("change", redraw);
  addEventListener("beforeprint", () => {
    printing = true;
    for (const element of elements())
      if (element.offsetParent && (dark.matches || !drawn.has(element))) draw(element);
  });
  addEventListener("afterprint", () => {
    printing = false;
    if (dark.matches) redraw();
  });
  let resized;
  let width = innerWidth;
  addEventListener("resize", () => {
    if (innerWidth === width) return;
    width = innerWidth;
    clearTimeout(resized);
    resized = setTimeout(redraw, 200);
  });

  /* A running study: parts of the page are replaced, and stay as the reader has left them. */
  function identity(element) {
    if (!element || element === document.body) return null;
    if (element.id) return `#${CSS.escape(element.id)}`;
    if (element.dataset.series !== undefined) return `[data-series="${CSS.escape(element.dataset.series)}"]`;
    return null;
  }
  function replaced(part, markup) {
    const open = new Set([...part.querySelectorAll("details[open] > summary")].map((each) => kind(each)));
    const focused = part.contains(document.activeElement) ? identity(document.activeElement) : null;
    part.innerHTML = markup; // escaped by the server
    for (const each of part.querySelectorAll("details > summary"))
      if (open.has(kind(each))) each.parentElement.open = true;
    if (focused) part.querySelector(focused)?.focus({ preventScroll: true });
  }
  const kind = (summary) => summary.textContent.replace(/: [\d,]+$/, ""); // "Running: 2"
  async function update() {
    const answer = await fetch("content");
    if (!answer.ok) return;
    const content = await answer.json();
    const typed = byId("filter") ? byId("filter").value : "";
    const heights = elements().map((each) => each.offsetHeight);
    const place = scrollY;
    generation += 1;
    for (const result of drawn.values()) if (result) result.finalize();
    drawn.clear();
    charts = content.charts;
    replaced(byId("head"), content.head);
    replaced(byId("content"), content.main);
    elements().forEach((each, i) => heights[i] && (each.style.minHeight = `${heights[i]}px`));
    if (byId("filter")) byId("filter").value = typed;
    scrollTo(0, place);
    start();
  }
  function follow() {
    const events = new EventSource(`events?${document.body.dataset.live}`);
    const say = (text) => (byId("connection").textContent = text);
    let busy = Promise.resolve();
    events.addEventListener("status", (event) => {
      replaced(byId("status"), JSON.parse(event.data));
      say("");
    });
    events.addEventListener("content", () => (busy = busy.then(update).catch(() => say("The page could not be refreshed."))));
    events.onerror = () => say("No connection to the program that serves this page; it may have ended. Trying again.");
  }

  function start() {
    markButtons();
    sorted();
    filtered();
    show(false);
    watchCharts();
  }
  start();
  if (document.body.dataset.live !== undefined) follow();
  document.body.dataset.ready = "";
})();
