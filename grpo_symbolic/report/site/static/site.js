// Everything works without this file; it adds the search, the filters, copying, the theme and the light in the graph.
(() => {
  "use strict";
  const root = document.documentElement;
  const stored = (key, value) => {
    try { return value === undefined ? localStorage.getItem(key) : localStorage.setItem(key, value); } catch { return null; }
  };
  if (stored("theme")) root.dataset.theme = stored("theme");

  const ready = () => {
    const all = (selector, inside = document) => [...inside.querySelectorAll(selector)];
    all(".tools, .filters, .copies").forEach((item) => { item.hidden = false; });

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

    const filters = all("[data-show]"), filtered = all("[data-kinds]");
    const show = (kind) => {
      filters.forEach((button) => button.setAttribute("aria-pressed", String(button.dataset.show === kind)));
      filtered.forEach((item) => { item.hidden = kind !== "*" && !item.dataset.kinds.split(" ").includes(kind); });
      all(".rows").forEach((part) => { part.hidden = !part.querySelector("[data-kinds]:not([hidden])"); });
    };
    filters.forEach((button) => button.addEventListener("click", () => show(button.dataset.show)));
    const wanted = new URLSearchParams(location.search).get("state");
    if (filters.some((button) => button.dataset.show === wanted)) show(wanted);
    filters.forEach((button) => {
      const kind = button.dataset.show;
      if (kind !== "*") button.disabled = !filtered.some((item) => item.dataset.kinds.split(" ").includes(kind));
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
    document.addEventListener("click", async (event) => {
      const button = event.target.closest(".copy");
      if (!button) return;
      await copied(button.dataset.copy ?? button.parentElement.querySelector("code").textContent);
      const name = button.textContent;
      button.textContent = "copied";
      setTimeout(() => { button.textContent = name; }, 1200);
    });

    all("svg.graph").forEach((graph) => {
      const edges = all("path", graph), boxes = new Map(all(".node", graph).map((box) => [box.dataset.id, box]));
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
      const off = () => { graph.classList.remove("lit"); all(".near", graph).forEach((item) => item.classList.remove("near")); };
      const on = (id) => {
        off();
        [...reach(id, "from", "to"), ...reach(id, "to", "from")].forEach((node) => boxes.get(node)?.classList.add("near"));
        graph.classList.add("lit");
      };
      boxes.forEach((box, id) => {
        ["mouseenter", "focus"].forEach((name) => box.addEventListener(name, () => on(id)));
        ["mouseleave", "blur"].forEach((name) => box.addEventListener(name, off));
      });
    });

    const focusable = () => all(".f").forEach((box) => {
      if (box.scrollWidth > box.clientWidth + 1) {
        box.tabIndex = 0; box.setAttribute("role", "group"); box.setAttribute("aria-label", "Formula, scrolls");
      }
    });
    focusable();
    document.addEventListener("toggle", focusable, true);
    search(all);
  };

  const GREEK = "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma sigma tau upsilon phi chi psi omega".split(" ");
  const plain = (text) => text.toLowerCase()
    .replace(/[α-ω]/g, (letter) => ` ${GREEK[letter.charCodeAt(0) - 0x3b1]} `).replace(/ϵ/g, " epsilon ").replace(/ϕ/g, " phi ")
    .replace(/\\(var)?(?=[a-z])/g, " ");

  const search = (all) => {
    const field = document.getElementById("q"), hits = document.getElementById("hits");
    let loading = null, chosen = -1;
    const load = () => (loading ??= new Promise((done) => {
      const script = document.createElement("script");
      script.src = "assets/index.js";
      script.onload = done;
      document.head.append(script);
    }));
    const score = ([title, , kind, id, number, place, words], query, terms) => {
      const name = id.slice(id.indexOf(".") + 1), where = place.toLowerCase(), text = plain(title);
      if (query === name || query === id || query === number) return 100;
      if (query.replace(/[()]/g, "") === where.replace(/[^0-9]/g, "") && /^\(?\d+\)?$/.test(query)) return kind === "line" ? 60 : 80;
      let sum = 0;
      for (const term of terms) {
        const found = (name.includes(term) && 9) || (text.includes(term) && 8) || (where.includes(term) && 6) || (words.includes(term) && 3);
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
