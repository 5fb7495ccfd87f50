// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import { $, ask, make, post, say, size, tabs } from "./common.js";
import * as detail from "./detail.js";
import * as list from "./list.js";

let isPaused = false;
let connection = "connecting";
let trouble = "";

// Status
function tell() {
  if (connection === "lost") return say($("status"), "Not connected: the process has ended, or the inspector was stopped. Trying again…", true);
  if (trouble) return say($("status"), trouble, true);
  say($("status"), `${isPaused ? "Paused. " : ""}${list.summary()}`);
}
function empty() {
  const isEmpty = !$("rows").firstElementChild;
  $("empty").hidden = !isEmpty;
  $("unfilter").hidden = !(list.calls.size && list.isFiltered());
  const text = list.calls.size ? "No call matches the filter."
    : isPaused ? "Recording is paused." : list.filter.client ? `No calls of ${list.filter.client} yet. They appear here as they happen.` : "No calls yet. They appear here as they happen.";
  if ($("empty-text").textContent !== text) $("empty-text").textContent = text;
  $("export").disabled = list.calls.size === 0;
  $("clear").disabled = list.calls.size === 0;
}

// Changes
let waiting = [];
let isScheduled = false;
let repeated = 0;
function take(changes) {
  waiting.push(changes);
  if (isScheduled) return;
  isScheduled = true;
  // A hidden page draws nothing, but must not let changes pile up.
  (document.hidden ? (work) => setTimeout(work, 250) : requestAnimationFrame)(apply);
}
function apply() {
  isScheduled = false;
  const all = waiting;
  waiting = [];
  const box = $("calls");
  const isAtEnd = box.scrollHeight - box.scrollTop - box.clientHeight < 60;
  for (const changes of all) {
    if (changes.isFirst) list.clear();
    list.take(changes.calls, changes.first);
    isPaused = changes.isPaused;
    if (changes.downloads) downloads(changes.downloads);
  }
  $("pause").setAttribute("aria-pressed", isPaused);
  $("pause").textContent = isPaused ? "Resume" : "Pause";
  list.reachable();
  empty();
  tell();
  if (isAtEnd && !box.contains(document.activeElement)) box.scrollTop = box.scrollHeight;
  const call = list.calls.get(list.chosenNumber());
  if (call) detail.refresh(call);
  // A search on the server does not know later calls.
  if ($("deep").checked && list.plainWords().length) repeated ||= setTimeout(() => { repeated = 0; search(); }, 2000);
}
let isFirst = true;
const feed = new EventSource("api/feed");
feed.onopen = () => { connection = "open"; isFirst = true; tell(); };
feed.onmessage = (event) => {
  take({ ...JSON.parse(event.data), isFirst });
  isFirst = false;
};
feed.onerror = () => { connection = "lost"; tell(); };

// Choosing a call
function open(row) {
  const call = list.calls.get(Number(row?.dataset.number));
  if (!call) return;
  list.choose(call.number);
  document.body.classList.add("with-detail");
  detail.open(call).then(() => {
    // On a narrow window the details cover the list.
    if (getComputedStyle($("detail")).position === "fixed") $("detail-title").focus();
  });
}
function close() {
  if (!detail.isOpen()) return;
  const row = list.rowOf(list.chosenNumber());
  detail.close();
  list.choose(null);
  document.body.classList.remove("with-detail");
  list.focusRow(row);
}
$("rows").addEventListener("click", (event) => {
  const row = event.target.closest(".row");
  if (!row) return;
  list.focusRow(row);
  open(row);
});
$("close").addEventListener("click", close);
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || $("confirm").open) return;
  if (list.move(event)) {
    if (detail.isOpen()) open(document.activeElement);
    return;
  }
  const isTyping = event.target.matches("input, textarea");
  if (event.key === "Escape") {
    if (event.target === $("filter") && $("filter").value) { $("filter").value = ""; filter(); } else close();
  } else if (event.key === "Enter" && event.target.matches("#rows .row")) open(event.target);
  else if (event.key === "/" && !isTyping) { event.preventDefault(); $("filter").focus(); }
  else if (event.key === "p" && !isTyping && !$("pause").hidden) pause();
});

// Filter
let asked = 0;
async function search() {
  const words = list.plainWords();
  if (!$("deep").checked || !words.length) { list.filter.found = null; return refilter(); }
  asked += 1;
  const turn = asked;
  try {
    const found = await ask(`api/search?text=${encodeURIComponent(words.join(" "))}`);
    if (turn !== asked) return;
    list.filter.found = new Set(found);
    trouble = "";
  } catch (error) { trouble = error.message; }
  refilter();
}
function refilter() { list.refilter(); empty(); tell(); }
let delay = 0;
function filter() {
  list.setFilter($("filter").value);
  refilter();
  clearTimeout(delay);
  delay = setTimeout(search, 250);
}
$("filter").addEventListener("input", filter);
$("deep").addEventListener("change", filter);
$("filters").addEventListener("submit", (event) => event.preventDefault());
for (const chip of document.querySelectorAll(".chip[data-is]")) {
  chip.addEventListener("click", () => {
    const isOn = chip.getAttribute("aria-pressed") !== "true";
    chip.setAttribute("aria-pressed", isOn);
    if (isOn) list.filter.only.add(chip.dataset.is); else list.filter.only.delete(chip.dataset.is);
    refilter();
  });
}
/** The address can name a client, whose calls alone are shown, and the view: #client=Posts, #view=downloads. */
let wantedView = "";
function readAddress() {
  const wanted = new URLSearchParams(location.hash.slice(1));
  document.body.classList.toggle("embedded", wanted.has("embedded"));
  list.filter.client = wanted.get("client") ?? "";
  wantedView = wanted.get("view") ?? "";
  if (!$("views").hidden) chooseView($(wantedView === "downloads" ? "tab-downloads" : "tab-calls"));
  $("client").hidden = !list.filter.client;
  $("client").textContent = `${list.filter.client} ×`;
  $("client").setAttribute("aria-label", `Show the calls of all clients, not only of ${list.filter.client}`);
  refilter();
}
const showAllClients = () => { location.hash = document.body.classList.contains("embedded") ? "embedded" : ""; readAddress(); };
$("client").addEventListener("click", showAllClients);
addEventListener("hashchange", readAddress);
$("unfilter").addEventListener("click", () => {
  $("filter").value = "";
  list.filter.only.clear();
  for (const chip of document.querySelectorAll(".chip[data-is]")) chip.setAttribute("aria-pressed", false);
  list.setFilter("");
  if (list.filter.client) showAllClients(); else refilter();
  $("filter").focus();
});

// Actions
async function act(action) {
  try { await action(); trouble = ""; } catch (error) { trouble = error.message; }
  tell();
}
const pause = () => act(() => post(`api/pause?on=${isPaused ? 0 : 1}`));
$("pause").addEventListener("click", pause);
$("clear").addEventListener("click", () => act(async () => { close(); await post("api/clear"); }));
$("export").addEventListener("click", () => act(async () => {
  const shown = [...$("rows").children].map((row) => row.dataset.number);
  const file = await post("api/har", list.isFiltered() ? shown.join(",") || "0" : "");
  const address = URL.createObjectURL(new Blob([JSON.stringify(file, null, 1)], { type: "application/json" }));
  const link = make("a", "", { href: address, download: "calls.har" });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}));

// Downloads
const chooseView = tabs($("views"), (id) => {
  document.body.classList.toggle("on-downloads", id === "downloads");
  $("filters").hidden = id === "downloads";
  if (id === "downloads") close();
});
function downloads(all) {
  const had = !$("views").hidden;
  $("views").hidden = all.length === 0;
  if (had && !all.length) chooseView($("tab-calls"));
  if (!had && all.length && wantedView === "downloads") chooseView($("tab-downloads"));
  $("downloads-count").textContent = all.length || "";
  $("downloads-list").replaceChildren(...all.toReversed().map((one) => {
    const item = make("li", "", { "data-state": one.state });
    const bar = make("div", "", { class: "pieces", role: "img", "aria-label": one.total ? `${Math.floor((one.bytes / one.total) * 100)} % received` : "the length is unknown" });
    const stops = [];
    let place = 0;
    const draw = (to, color) => {
      if (to > place) stops.push(`var(${color}) ${place * 100}% ${to * 100}%`);
      place = Math.max(place, to);
    };
    if (one.total) {
      const gaps = one.state === "completed" ? [] : one.missing.length ? one.missing : [[one.bytes, one.total]];
      for (const [from, to] of gaps) { draw(from / one.total, "--two"); draw(to / one.total, "--line"); }
      draw(1, "--two");
      bar.style.background = `linear-gradient(to right, ${stops.join(", ")})`;
    }
    const facts = [
      one.state, one.total ? `${size(one.bytes)} of ${size(one.total)}` : size(one.bytes), one.speed ? `${size(one.speed)}/s` : "",
      one.remainingSeconds != null && one.state === "downloading" ? `${one.remainingSeconds} s left` : "",
      one.connections > 1 ? `${one.connections} segments at a time` : "", one.manager, one.failure,
    ];
    item.append(make("h3", one.name), bar, make("p", facts.filter(Boolean).join(" · ")), make("p", one.url));
    return item;
  }));
}

// Start
list.setFilter("");
readAddress();
try {
  const info = await ask("api/info");
  $("title").textContent = info.title;
  document.title = `${info.title} – Inspector`;
  $("pause").hidden = info.isFile;
  $("clear").hidden = info.isFile;
  detail.setFile(info.isFile);
} catch (error) { trouble = error.message; }
tell();
document.body.dataset.ready = "yes";
