// Everything works without this file; it adds the search, the filters, copying, the theme and the light in the graph.
(() => {
  "use strict";
  const root = document.documentElement;
  const stored = (key, value) => {
    try { return value === undefined ? localStorage.getItem(key) : localStorage.setItem(key, value); } catch { return null; }
  };
  if (stored("theme")) root.dataset.theme = stored("theme");

  // Without this file they would do nothing, and on every page they would weigh something.
  const tools = `<search><label class="unseen" for="q">Search words, ids, equation numbers, symbols</label>
    <input id="q" type="search" placeholder="Search: eq14, (9), beta …" autocomplete="off" spellcheck="false" role="combobox" aria-expanded="false" aria-controls="hits" aria-autocomplete="list">
    <div id="hits" role="listbox" aria-label="Found" hidden></div></search>
    <button id="theme" aria-label="Light or dark">◐</button>`;

  const ready = () => {
    const all = (selector, inside = document) => [...inside.querySelectorAll(selector)];
    document.querySelector(".tools").innerHTML = tools;
    all(".tools, .filters").forEach((item) => { item.hidden = false; });
    // Of several forms of a formula the first has the name; one without forms that has none is named by what is seen.
    all("math:not([aria-label])").forEach((form) => {
      form.ariaLabel = form.hasAttribute("class") ? form.previousElementSibling.ariaLabel : form.textContent;
    });
    all(".copies").forEach((box) => {
      const kinds = ["LaTeX", ...(box.dataset.python === undefined ? [] : ["Python"]), "citation"];
      box.append("copy ", ...kinds.map((kind) => Object.assign(document.createElement("button"), { className: "copy", value: kind, textContent: kind })));
    });

    document.getElementById("theme").addEventListener("click", () => {
      const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
      root.dataset.theme = dark ? "light" : "dark";
      stored("theme", root.dataset.theme);
    });

    // What a link leads to is shown, even if it is folded or filtered away.
    const reveal = () => {
      const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
      if (!target) return;
      for (let item = target; item; item = item.parentElement) if (item.tagName === "DETAILS") item.open = true;
      if (target.hidden) show("*");
      target.scrollIntoView();
    };

    const filters = all("[data-show]"), filtered = all("[data-kinds], article.claim");
    const are = (item, kind) => (item.dataset.kinds ?? "paper").split(" ").includes(kind);
    const show = (kind) => {
      filters.forEach((button) => button.setAttribute("aria-pressed", String(button.dataset.show === kind)));
      filtered.forEach((item) => { item.hidden = kind !== "*" && !are(item, kind); });
      all(".rows").forEach((part) => { part.hidden = !part.querySelector("[data-kinds]:not([hidden])"); });
    };
    filters.forEach((button) => button.addEventListener("click", () => show(button.dataset.show)));
    const wanted = new URLSearchParams(location.search).get("state");
    if (filters.some((button) => button.dataset.show === wanted)) show(wanted);
    filters.forEach((button) => {
      const kind = button.dataset.show;
      if (kind !== "*") button.disabled = !filtered.some((item) => are(item, kind));
      if (button.disabled) button.hidden = true;
    });
    addEventListener("hashchange", reveal);
    reveal();

    const copied = async (text) => {
      try { await navigator.clipboard.writeText(text); } catch {
        const area = Object.assign(document.createElement("textarea"), { value: text });
        document.body.append(area); area.select(); document.execCommand("copy"); area.remove();
      }
    };
    // What stands on a page more than once, its script puts together: lines of programs, and what a heading says.
    const said = (item) => item.textContent.replace(/\s+/g, " ").trim();
    const page = document.querySelector("[data-cited]")?.dataset ?? {};
    const shared = page.shared?.split("\n");
    const takeaway = {
      LaTeX: (box) => box.dataset.latex,
      Python: (box) => box.dataset.python?.split("\n")
        .map((line) => /^[\d ]+$/.test(line) ? line.split(" ").map((number) => shared[number]).join("\n") : line).join("\n"),
      citation: (box) => {
        const claim = box.closest(".claim"), heading = said(claim.querySelector("h2")), number = said(claim.querySelector(".self"));
        const id = claim.querySelector(".meta a").getAttribute("href").replace(/^claim\/|\.html$/g, "");
        const title = box.dataset.title ?? heading.slice(number.length).trim();
        const verdict = box.dataset.verdict ?? said(claim.querySelector(".verdict")).toUpperCase();
        return `Claim ${number}, ${id}: ${title}. ${verdict}${page.cited}`;
      },
      Copy: (box) => box.querySelector("code").textContent,
    };
    document.addEventListener("click", async (event) => {
      const button = event.target.closest(".copy");
      if (!button) return;
      const name = button.value || "Copy";
      await copied(takeaway[name](button.parentElement));
      button.textContent = "copied";
      setTimeout(() => { button.textContent = name; }, 1200);
    });

    all("svg.graph").forEach((graph) => { light(graph); unfolding(graph); });
    all(".folds").forEach((item) => { item.hidden = false; });

    const focusable = () => all(".f").forEach((box) => {
      if (box.scrollWidth > box.clientWidth + 1) {
        box.tabIndex = 0; box.setAttribute("role", "group"); box.setAttribute("aria-label", "Formula, scrolls");
      }
    });
    focusable();
    document.addEventListener("toggle", focusable, true);
    search(all);
  };

  const inside = (graph, kind) => [...graph.querySelectorAll(`:scope > ${kind}`)];

  const light = (graph) => {
    const edges = inside(graph, "path"), boxes = new Map(inside(graph, ".node").map((box) => [box.dataset.id, box]));
    const reach = (start, from, to) => {
      const found = new Set([start]), waiting = [start];
      while (waiting.length) {
        const node = waiting.pop();
        edges.filter((edge) => edge.dataset[from] === node).forEach((edge) => {
          edge.classList.add("near");
          if (!found.has(edge.dataset[to])) { found.add(edge.dataset[to]); waiting.push(edge.dataset[to]); }
        });
      }
      return found;
    };
    const off = () => { graph.classList.remove("lit"); inside(graph, ".near").forEach((item) => item.classList.remove("near")); };
    const on = (id) => {
      off();
      [...reach(id, "from", "to"), ...reach(id, "to", "from")].forEach((node) => boxes.get(node)?.classList.add("near"));
      graph.classList.add("lit");
    };
    boxes.forEach((box, id) => {
      ["mouseenter", "focus"].forEach((name) => box.addEventListener(name, () => on(id)));
      ["mouseleave", "blur"].forEach((name) => box.addEventListener(name, off));
    });
  };

  // A box opens in a band below its row: what stands further down moves by the height of the band, and nothing else.
  const unfolding = (graph) => {
    const templates = new Map([...graph.closest("section").querySelectorAll("template[data-of]")]
      .map((item) => [item.dataset.of, item]));
    if (!templates.size) return;
    const make = (name, values) => {
      const made = document.createElementNS("http://www.w3.org/2000/svg", name);
      Object.entries(values).forEach(([key, value]) => made.setAttribute(key, value));
      return made;
    };
    const number = (item, name) => Number(item.getAttribute(name));
    const [left, top, width, height] = graph.getAttribute("viewBox").split(" ").map(Number);
    const edges = inside(graph, "path").map((path) => [path, path.getAttribute("d")]), bands = [], pad = 14;
    const boxes = inside(graph, ".node").map((box) => {
      const rect = box.querySelector("rect");
      // How wide a box is stands in the style sheet, once for all.
      return { box, x: number(rect, "x"), y: number(rect, "y"), width: parseFloat(getComputedStyle(rect).width), foot: number(rect, "y") + number(rect, "height") };
    });
    const place = () => {
      const moved = (y) => bands.reduce((sum, band) => sum + (y > band.foot + 1 ? band.height : 0), y);
      boxes.forEach((item) => { [item.box, item.button].forEach((part) => part?.setAttribute("transform", `translate(0 ${moved(item.y) - item.y})`)); });
      edges.forEach(([path, d]) => {
        let isY = false;
        path.setAttribute("d", d.replace(/-?[\d.]+/g, (text) => { isY = !isY; return isY ? text : moved(Number(text)).toFixed(1); }));
      });
      bands.forEach((band, position) => {
        const above = bands.slice(0, position).filter((other) => other.foot === band.foot).reduce((sum, other) => sum + other.height, 0);
        band.group.setAttribute("transform", `translate(0 ${moved(band.foot) + above})`);
      });
      const whole = height + bands.reduce((sum, band) => sum + band.height, 0);
      graph.setAttribute("viewBox", `${left} ${top} ${width} ${whole}`);
      graph.setAttribute("height", whole);
    };
    const open = (item) => {
      const claims = templates.get(item.box.dataset.id).content.querySelector("svg").cloneNode(true);
      const wide = number(claims, "width"), high = number(claims, "height");
      const x = Math.max(left + 2, Math.min(item.x + item.width / 2 - wide / 2, left + width - wide - 2 * pad - 2));
      const group = make("g", { class: "band" });
      group.append(make("rect", { x, y: pad, width: wide + 2 * pad, height: high + 2 * pad, rx: 6 }), claims);
      claims.setAttribute("x", x + pad); claims.setAttribute("y", 2 * pad);
      item.button.after(group);
      light(claims);
      return { item, group, foot: item.foot, height: high + 3 * pad };
    };
    const toggle = (item) => {
      const at = bands.findIndex((band) => band.item === item), sign = item.button.querySelector("text");
      if (at < 0) bands.push(open(item)); else bands.splice(at, 1)[0].group.remove();
      item.button.setAttribute("aria-expanded", String(at < 0));
      sign.textContent = at < 0 ? "−" : "+";
      place();
    };
    boxes.filter((item) => templates.has(item.box.dataset.id)).forEach((item) => {
      const x = item.x + item.width - 18, name = item.box.querySelector("text").textContent.trim();
      item.button = make("g", { class: "unfold", role: "button", tabindex: 0, "aria-expanded": false, "aria-label": `Claims of ${name}` });
      const sign = make("text", { x, y: item.foot + 5 });
      sign.textContent = "+";
      item.button.append(make("circle", { cx: x, cy: item.foot, r: 12 }), sign);
      item.button.addEventListener("click", () => toggle(item));
      item.button.addEventListener("keydown", (event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        toggle(item);
      });
      item.box.after(item.button);
    });
    // A page of a result leads here to see its claims.
    const wanted = boxes.find((item) => item.button && `#${item.box.id}` === location.hash);
    if (wanted) { toggle(wanted); wanted.box.scrollIntoView(); }
  };

  const GREEK = "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma sigma tau upsilon phi chi psi omega".split(" ");
  const plain = (text) => text.toLowerCase()
    .replace(/[α-ω]/g, (letter) => ` ${GREEK[letter.charCodeAt(0) - 0x3b1]} `).replace(/ϵ/g, " epsilon ").replace(/ϕ/g, " phi ")
    .replace(/\\(var)?(?=[a-z])/g, " ");

  // Rows of the index leave out what follows from the rows before them; see index.py.
  const unfold = ([file, kind, paper, number, rows]) => rows.map(([title, anchor, place, words, own, count, id], position) => [
    title, file + (anchor ? `#${anchor}` : ""), own ?? kind, id ?? (paper && anchor ? `${paper}.${anchor}` : ""),
    count ?? (number && position ? `${number}.${position}` : number), place ?? "", words ?? "",
  ]);
  let loading = null;
  const load = () => (loading ??= new Promise((done) => {
    const script = document.createElement("script");
    script.src = "assets/index.js";
    script.onload = () => { window.INDEX = window.INDEX.flatMap(unfold); done(); };
    document.head.append(script);
  }));

  // A number tells what stands where it leads to once it is pointed at.
  const name = async (event) => {
    const link = event.target.closest?.("main a[href]:not([title])"), address = link?.getAttribute("href");
    if (!address || !/^([^/:]+\.html|#)/.test(address)) return;
    await load();
    const whole = address.startsWith("#") ? location.pathname.split("/").pop() + address : address;
    const row = window.INDEX.find((one) => one[1] === whole);
    if (row && row[0] !== link.textContent) link.title = row[0];
  };
  for (const kind of ["pointerover", "focusin"]) document.addEventListener(kind, name);

  const search = (all) => {
    const field = document.getElementById("q"), hits = document.getElementById("hits");
    let chosen = -1;
    // Words are there without the signs between them and without single digits, which are told apart by nothing else.
    const isAmong = (words, term) => {
      const bare = term.replace(/[^\p{L}\p{N}_'.-]+/gu, "");
      return /^\d?$/.test(bare) || words.includes(bare);
    };
    const score = ([title, , kind, id, number, place, words], query, terms) => {
      const name = id.slice(id.indexOf(".") + 1), where = place.toLowerCase(), text = plain(title);
      if (query === name || query === id || query === number) return 100;
      if (query.replace(/[()]/g, "") === where.replace(/[^0-9]/g, "") && /^\(?\d+\)?$/.test(query)) return kind === "line" ? 60 : 80;
      let sum = 0;
      for (const term of terms) {
        const found = (name.includes(term) && 9) || (text.includes(term) && 8) || (where.includes(term) && 6) || (isAmong(words, term) && 3);
        if (!found) return 0;
        sum += found + (text.startsWith(term) ? 1 : 0);
      }
      return sum / terms.length - (kind === "line" ? 2 : 0);
    };
    const choose = (position) => {
      const rows = all("a", hits);
      rows.forEach((row) => row.setAttribute("aria-selected", "false"));
      chosen = rows.length ? (position + rows.length) % rows.length : -1;
      if (chosen < 0) { field.removeAttribute("aria-activedescendant"); return; }
      rows[chosen].setAttribute("aria-selected", "true");
      rows[chosen].scrollIntoView({ block: "nearest" });
      field.setAttribute("aria-activedescendant", rows[chosen].id);
    };
    const close = () => { hits.hidden = true; field.setAttribute("aria-expanded", "false"); chosen = -1; };
    const find = async () => {
      const query = plain(field.value).trim();
      if (!query) { close(); return; }
      await load();
      const terms = query.split(/\s+/);
      const found = window.INDEX.map((row) => [score(row, query, terms), row]).filter(([points]) => points > 0)
        .sort((one, other) => other[0] - one[0]).slice(0, 25);
      hits.replaceChildren(...found.map(([, [title, address, kind, id, number, place]], position) => {
        const row = Object.assign(document.createElement("a"), { href: address, id: `hit${position}`, tabIndex: -1 });
        row.setAttribute("role", "option");
        const more = document.createElement("small");
        more.textContent = [kind, number, id, place].filter(Boolean).join(" · ");
        row.append(title, more);
        return row;
      }));
      if (!found.length) {
        const none = document.createElement("div");
        none.setAttribute("role", "option");
        none.textContent = "Nothing has all of these words.";
        hits.append(none);
      }
      hits.hidden = false;
      field.setAttribute("aria-expanded", "true");
      choose(0);
    };
    field.addEventListener("focus", load, { once: true });
    field.addEventListener("input", find);
    field.addEventListener("keydown", (event) => {
      if (event.key === "ArrowDown" || event.key === "ArrowUp") { event.preventDefault(); choose(chosen + (event.key === "ArrowDown" ? 1 : -1)); }
      if (event.key === "Enter" && chosen >= 0) { event.preventDefault(); const to = all("a", hits)[chosen]; close(); to.click(); }
      if (event.key === "Escape") { close(); field.blur(); }
    });
    document.addEventListener("click", (event) => { if (!event.target.closest("search")) close(); });
    document.addEventListener("keydown", (event) => {
      if (event.target.closest("input, textarea") || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === "/") { event.preventDefault(); field.focus(); field.select(); }
      if (event.key === "j" || event.key === "k") {
        const items = all("article[id], .row[id]").filter((item) => !item.hidden);
        const edge = innerHeight * 0.25;
        const next = event.key === "j" ? items.find((item) => item.getBoundingClientRect().top > edge)
          : items.reverse().find((item) => item.getBoundingClientRect().top < -2);
        if (next) { next.scrollIntoView(); next.querySelector("a")?.focus({ preventScroll: true }); }
      }
    });
  };
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", ready); else ready();
})();
