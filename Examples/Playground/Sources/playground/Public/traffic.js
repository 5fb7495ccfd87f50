// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import { $, make } from "./common.js";

/** Shows the inspector beside the tabs: the calls of the visible tab as they happen. */
let [address, frame, shown] = ["", null, ""];
const names = { posts: "Posts", realtime: "Realtime", subscription: "Subscription", downloads: "Downloads", upload: "Upload", stream: "Stream" };
const part = (panel) => new URLSearchParams({ client: names[panel], embedded: "", ...(panel === "downloads" ? { view: "downloads" } : {}) });

/** Offers the traffic if the process has an inspector; on a wide window it is shown at first. */
export function offerTraffic(url, panel) {
  address = url;
  if (!address) return;
  shown = panel;
  $("traffic-link").href = address;
  $("traffic-toggle").hidden = false;
  $("traffic-toggle").addEventListener("click", () => {
    const isOn = $("traffic-toggle").getAttribute("aria-pressed") !== "true";
    try { localStorage.setItem("traffic", isOn ? "on" : "off"); } catch { /* Storage may be turned off. */ }
    set(isOn);
    // On a narrow window the traffic is below the tab.
    if (isOn) $("traffic").scrollIntoView({ block: "nearest" });
  });
  let wish = null;
  try { wish = localStorage.getItem("traffic"); } catch { /* Storage may be turned off. */ }
  set(wish ? wish === "on" : matchMedia("(min-width: 80rem)").matches);
}

function set(isOn) {
  $("traffic-toggle").setAttribute("aria-pressed", isOn);
  $("traffic").dataset.on = isOn;
  followTraffic(shown);
  if (!isOn) { frame?.remove(); frame = null; }
}

/** Shows the traffic of another tab. The network tab has none: it only watches the machine. */
export function followTraffic(panel) {
  shown = panel;
  if (!address || !panel) return;
  const isOn = $("traffic").dataset.on === "true" && panel in names;
  $("traffic").hidden = !isOn;
  document.body.classList.toggle("with-traffic", isOn);
  $("traffic-toggle").disabled = !(panel in names);
  if (!isOn) return;
  $("traffic-title").textContent = `Traffic of ${names[panel]}`;
  const url = `${address}#${part(panel)}`;
  if (frame) return frame.contentWindow.location.replace(url);
  frame = make("iframe", "", { src: url, title: "Traffic" });
  $("traffic").append(frame);
}
