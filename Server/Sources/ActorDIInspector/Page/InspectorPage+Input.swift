extension InspectorPage {
  /// The state of the page, and what the user does.
  static let input = #"""
    const page = { model: null, view: null, text: "", depth: 1, table: "problems", orders: {}, selected: -1, box: null, scale: 1 };
    const manyServices = 120;

    // MARK: Views. The address after # names the view, so that it can be linked, and the back button works.

    const overview = () => ({ mode: page.model.nodes.length > manyServices ? "clusters" : "services" });

    function viewFromAddress() {
      const address = new URLSearchParams(location.hash.slice(1));
      page.depth = Number(address.get("depth")) || page.depth;
      if (address.has("service")) {
        const node = page.model.nodes.find((node) =>
          node.name === address.get("service") && String(node.container) === (address.get("container") ?? "0")
          && node.kind === (address.get("kind") ?? "registration"));
        if (node !== undefined) return { mode: "service", service: node.id, depth: page.depth };
      }
      if (page.model.clusters.has(address.get("cluster"))) return { mode: "cluster", cluster: address.get("cluster") };
      return ["services", "clusters"].includes(address.get("view")) ? { mode: address.get("view") } : overview();
    }

    function show(view) {
      const address = new URLSearchParams();
      if (view.mode === "service") {
        const node = page.model.nodes[view.service];
        address.set("service", node.name);
        if (node.container !== 0) address.set("container", node.container);
        if (node.kind !== "registration") address.set("kind", node.kind);
        address.set("depth", view.depth);
      } else if (view.mode === "cluster") address.set("cluster", view.cluster);
      else if (view.mode !== overview().mode) address.set("view", view.mode);
      const hash = address.size === 0 ? "" : `#${address}`;
      if (hash !== location.hash) history.pushState(null, "", hash === "" ? location.pathname + location.search : hash);
      apply(view);
    }

    function apply(view, isKeepingPlace = false) {
      page.view = { ...makeView(page.model, view), model: page.model };
      byId("drawing").replaceChildren(drawGraph(page.model, page.view));
      markBuilds(page.view);
      for (const mode of ["services", "clusters"]) byId(`show-${mode}`).setAttribute("aria-pressed", String(view.mode === mode));
      byId("depth").disabled = view.mode !== "service";
      byId("depth").value = String(page.depth);
      byId("place").textContent = placeText();
      if (!isKeepingPlace) {
        fitDrawing(0.5);
        const root = view.mode === "service" ? page.view.vertices.findIndex((vertex) => vertex.node.id === view.service) : -1;
        select(root);
        if (root >= 0) reveal(page.view.vertices[root], true);
      }
    }

    function placeText() {
      const { view, model } = page;
      if (model.nodes.length === 0) return "Nothing is registered.";
      if (view.mode === "services") return `All ${plural(model.nodes.length, "service")}`;
      if (view.mode === "clusters") return `${plural(model.nodes.length, "service")} in ${plural(model.clusters.size, "cluster")}`;
      if (view.mode === "cluster") return view.cluster;
      const hidden = view.more.dependencies + view.more.dependents;
      return `Around ${model.nodes[view.service].name}${hidden > 0 ? `, without ${hidden.toLocaleString()} less used services` : ""}`;
    }

    // MARK: Selection

    function select(index, hasFocus = false) {
      const { view } = page;
      page.selected = index;
      const linked = new Set([index]);
      for (const [number, edge] of view.edges.entries()) {
        const isLinked = edge.from === index || edge.to === index;
        view.lines[number].classList.toggle("linked", isLinked);
        if (isLinked) linked.add(edge.from).add(edge.to);
      }
      for (const [number, box] of view.boxes.entries()) {
        box.classList.toggle("selected", number === index);
        box.classList.toggle("linked", linked.has(number));
        box.setAttribute("tabindex", number === Math.max(0, index) ? 0 : -1);
      }
      // All that is shown around a service belongs to it.
      const isRoot = view.mode === "service" && view.vertices[index]?.node.id === view.service;
      byId("drawing").classList.toggle("has-selection", index >= 0 && !isRoot);
      showDetails(view.vertices[index]);
      if (hasFocus && index >= 0) {
        view.boxes[index].focus({ preventScroll: true });
        reveal(view.vertices[index]);
      }
    }

    function open(index) {
      const vertex = page.view.vertices[index];
      if (vertex === undefined) return;
      if (vertex.node === undefined) show({ mode: "cluster", cluster: vertex.cluster });
      else if (page.view.mode !== "service" || page.view.service !== vertex.node.id) show({ mode: "service", service: vertex.node.id, depth: page.depth });
      page.view.boxes[Math.max(0, page.selected)]?.focus({ preventScroll: true });
    }

    // The nearest vertex in a direction; what lies aside counts more than what lies ahead.
    function neighbour(index, [dx, dy]) {
      const middle = ({ x, y, width, height }) => ({ x: x + width / 2, y: y + height / 2 });
      const from = middle(page.view.vertices[index]);
      let best = -1;
      let least = Infinity;
      for (const [other, vertex] of page.view.vertices.entries()) {
        const to = middle(vertex);
        const ahead = (to.x - from.x) * dx + (to.y - from.y) * dy;
        const aside = Math.abs((to.x - from.x) * dy) + Math.abs((to.y - from.y) * dx);
        if (other === index || ahead < 8 || (dy !== 0 && aside > 150)) continue;
        const distance = ahead + 2.5 * aside;
        if (distance < least) [best, least] = [other, distance];
      }
      return best;
    }

    // MARK: Zoom. The box is the part of the drawing that is shown.

    function setBox(x, y, scale) {
      const { clientWidth, clientHeight } = byId("graph");
      page.scale = Math.min(2.5, Math.max(0.04, scale));
      page.box = { x, y, width: clientWidth / page.scale, height: clientHeight / page.scale };
      byId("graph").setAttribute("viewBox", `${page.box.x} ${page.box.y} ${page.box.width} ${page.box.height}`);
    }

    // Fits the drawing. If its texts would be too small to read, its beginning is shown in a readable size.
    function fitDrawing(least) {
      const { bounds } = page.view;
      const { clientWidth, clientHeight } = byId("graph");
      const [width, height] = [bounds.right - bounds.x + 40, bounds.bottom - bounds.y + 40];
      const scale = Math.max(least, 0.04, Math.min(1.15, clientWidth / width, clientHeight / height));
      const fits = (size, room) => size * scale <= room + 1;
      setBox(
        fits(width, clientWidth) ? bounds.x - 20 - (clientWidth / scale - width) / 2 : bounds.x - 20,
        fits(height, clientHeight) ? bounds.y - 20 - (clientHeight / scale - height) / 2 : bounds.y - 20, scale);
    }

    function zoom(factor, at = { x: page.box.x + page.box.width / 2, y: page.box.y + page.box.height / 2 }) {
      const scale = Math.min(2.5, Math.max(0.04, page.scale * factor));
      const share = page.scale / scale;
      setBox(at.x - (at.x - page.box.x) * share, at.y - (at.y - page.box.y) * share, scale);
    }

    function reveal({ x, y, width, height }, isCentred = false) {
      const { box } = page;
      const isInside = x >= box.x && y >= box.y && x + width <= box.x + box.width && y + height <= box.y + box.height;
      const margin = isCentred && !isInside ? Math.min(box.width - width, box.height - height) / 2 : 24;
      const dx = Math.min(0, x - margin - box.x) + Math.max(0, x + width + margin - box.x - box.width);
      const dy = Math.min(0, y - margin - box.y) + Math.max(0, y + height + margin - box.y - box.height);
      if (dx !== 0 || dy !== 0) setBox(box.x + dx, box.y + dy, page.scale);
    }

    const pointIn = (event) => {
      const { left, top } = byId("graph").getBoundingClientRect();
      return { x: page.box.x + (event.clientX - left) / page.scale, y: page.box.y + (event.clientY - top) / page.scale };
    };

    // MARK: Search

    function matches(text) {
      const words = text.toLowerCase().split(/\s+/).filter((word) => word !== "");
      if (words.length === 0) return [];
      const rank = (node) => (node.name.toLowerCase().startsWith(words[0]) ? 0 : node.name.toLowerCase().includes(words[0]) ? 1 : 2);
      return page.model.nodes.filter((node) => words.every((word) => node.text.includes(word)))
        .sort((a, b) => rank(a) - rank(b) || b.users - a.users || a.id - b.id);
    }

    const search = { found: [], chosen: -1 };

    function showMatches(chosen = 0) {
      search.found = matches(byId("search").value).slice(0, 12);
      search.chosen = Math.min(Math.max(chosen, 0), search.found.length - 1);
      const isOpen = byId("search").value.trim() !== "";
      byId("matches").replaceChildren(...(search.found.length === 0 && isOpen ? [html("li", { class: "hint" }, "No service matches.")] : []),
        ...search.found.map((node, index) => html("li", {
          id: `match-${index}`, role: "option", "aria-selected": String(index === search.chosen),
          onpointerdown: (event) => { event.preventDefault(); openMatch(index); },
        }, html("span", { class: `dot ${node.lifetime}`, "aria-hidden": "true" }), node.name, html("small", {}, ` ${traits(node)}`))));
      byId("matches").hidden = !isOpen;
      byId("search").setAttribute("aria-expanded", String(isOpen));
      if (search.chosen >= 0) byId("search").setAttribute("aria-activedescendant", `match-${search.chosen}`);
      else byId("search").removeAttribute("aria-activedescendant");
    }

    function closeSearch() {
      byId("search").value = "";
      showMatches();
    }

    function openMatch(index) {
      const node = search.found[index];
      if (node === undefined) return;
      closeSearch();
      show({ mode: "service", service: node.id, depth: page.depth });
      page.view.boxes[page.selected]?.focus({ preventScroll: true });
    }
    """#
}
