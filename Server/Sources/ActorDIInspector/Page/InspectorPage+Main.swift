extension InspectorPage {
  /// Events of the browser, and the state's arrival.
  static let main = #"""
    const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

    // Leaves the view of a service or cluster.
    function goBack() {
      if (page.view.mode === "service" || page.view.mode === "cluster") {
        const old = page.view;
        show(overview());
        const index = page.view.vertices.findIndex((vertex) => (vertex.node === undefined
          ? vertex.cluster === (old.cluster ?? page.model.nodes[old.service].cluster) : vertex.node.id === old.service));
        select(index, true);
      } else select(-1);
    }

    function graphKey(event) {
      const index = Math.max(0, page.selected);
      if (event.key in arrows && page.view.vertices.length > 0) {
        const next = page.selected < 0 ? 0 : neighbour(index, arrows[event.key]);
        if (next >= 0) select(next, true);
      } else if (event.key === "Enter" || event.key === " ") open(index);
      else if (event.key === "Home" && page.view.vertices.length > 0) select(0, true);
      else if (event.key === "+" || event.key === "=") zoom(1.25);
      else if (event.key === "-") zoom(0.8);
      else if (event.key === "0") fitDrawing(0);
      else return;
      event.preventDefault();
    }

    function searchKey(event) {
      if (event.key === "ArrowDown") showMatches(search.chosen + 1);
      else if (event.key === "ArrowUp") showMatches(search.chosen - 1);
      else if (event.key === "Enter") openMatch(search.chosen);
      else if (event.key === "Escape") {
        event.stopPropagation();
        if (byId("search").value === "") byId("search").blur(); else closeSearch();
      } else return;
      event.preventDefault();
    }

    function tabKey(event) {
      const ids = tables.map((table) => table.id);
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (step === undefined) return;
      chooseTable(ids[(ids.indexOf(page.table) + step + ids.length) % ids.length]);
      event.preventDefault();
    }

    function listen() {
      const graph = byId("graph");
      const on = (id, name, action) => byId(id).addEventListener(name, action);
      const vertexOf = (event) => Number(event.target.closest?.(".node")?.dataset.vertex ?? -1);
      let drag = null;
      on("graph", "pointerdown", (event) => {
        if (event.button === 0) drag = { x: event.clientX, y: event.clientY, box: page.box, hasMoved: false, vertex: vertexOf(event) };
      });
      on("graph", "pointermove", (event) => {
        if (drag === null) return;
        const [dx, dy] = [event.clientX - drag.x, event.clientY - drag.y];
        if (!drag.hasMoved && Math.hypot(dx, dy) < 4) return;
        if (!drag.hasMoved) graph.setPointerCapture(event.pointerId);
        drag.hasMoved = true;
        setBox(drag.box.x - dx / page.scale, drag.box.y - dy / page.scale, page.scale);
      });
      on("graph", "pointercancel", () => { drag = null; });
      on("graph", "pointerup", () => {
        const last = drag;
        drag = null;
        if (last === null || last.hasMoved) return;
        if (last.vertex >= 0 && last.vertex === page.selected) open(last.vertex); else select(last.vertex, true);
      });
      graph.addEventListener("wheel", (event) => {
        // The page scrolls if all of the graph is shown.
        const { box, view: { bounds } } = page;
        const isWhole = bounds.x >= box.x && bounds.y >= box.y && bounds.right <= box.x + box.width && bounds.bottom <= box.y + box.height;
        if (isWhole && !event.ctrlKey && !event.metaKey) return;
        event.preventDefault();
        if (event.ctrlKey || event.metaKey) zoom(Math.exp(-event.deltaY / 150), pointIn(event));
        else setBox(page.box.x + event.deltaX / page.scale, page.box.y + event.deltaY / page.scale, page.scale);
      }, { passive: false });
      on("graph", "keydown", graphKey);
      on("graph", "focusin", (event) => {
        const vertex = vertexOf(event);
        if (vertex >= 0 && vertex !== page.selected && drag === null) select(vertex);
      });
      on("search", "input", () => showMatches());
      on("search", "keydown", searchKey);
      on("search", "blur", () => { byId("matches").hidden = true; byId("search").setAttribute("aria-expanded", "false"); });
      on("search", "focus", () => showMatches());
      on("tabs", "keydown", tabKey);
      on("depth", "change", () => {
        page.depth = Number(byId("depth").value);
        if (page.view.mode === "service") show({ mode: "service", service: page.view.service, depth: page.depth });
      });
      for (const mode of ["services", "clusters"]) on(`show-${mode}`, "click", () => show({ mode }));
      on("zoom-in", "click", () => zoom(1.25));
      on("zoom-out", "click", () => zoom(0.8));
      on("zoom-fit", "click", () => fitDrawing(0));
      on("refresh", "click", () => load());
      on("follow", "change", follow);
      document.addEventListener("keydown", (event) => {
        if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || page.model === null) return;
        if (event.key === "/" && !["INPUT", "SELECT"].includes(event.target.tagName)) byId("search").focus();
        else if (event.key === "Escape") goBack();
        else return;
        event.preventDefault();
      });
      window.addEventListener("popstate", () => { if (page.model !== null) apply(viewFromAddress()); });
      window.addEventListener("resize", () => { if (page.box !== null) setBox(page.box.x, page.box.y, page.scale); });
    }

    // MARK: The state

    let timer = 0;

    function follow() {
      clearInterval(timer);
      if (byId("follow").checked) timer = setInterval(() => { if (!document.hidden) load(); }, 2000);
    }

    let isLoading = false;

    async function load() {
      if (isLoading) return;
      isLoading = true;
      try {
        const response = await fetch(document.documentElement.dataset.state, { cache: "no-store" });
        if (!response.ok) throw new Error(`The server answered ${response.status} ${response.statusText}.`);
        receive(await response.json());
        byId("failure").hidden = true;
      } catch (error) {
        byId("failure").textContent = `The state could not be loaded. ${error.message}`;
        byId("failure").hidden = false;
      } finally {
        isLoading = false;
      }
    }

    function receive(state) {
      const text = JSON.stringify(state.graph);
      const isSame = text === page.text;
      const types = page.model?.nodes.map((node) => node.types.join()).join("\n");
      page.text = text;
      page.model = makeModel(state, Date.now());
      document.title = `${state.container.name} – container`;
      byId("title").textContent = state.container.name;
      byId("number").textContent = `container ${state.container.id}`;
      byId("updated").textContent = `Updated ${new Date().toLocaleTimeString()}`;
      if (!isSame) {
        apply(viewFromAddress());
        showLegend();
      } else {
        // The same drawing with the new marks, unless a type has become known that boxes show.
        page.view.model = page.model;
        if (types === page.model.nodes.map((node) => node.types.join()).join("\n") && page.view.mode !== "clusters") markBuilds(page.view);
        else redraw();
        if (!byId("details").contains(document.activeElement)) showDetails(page.view.vertices[page.selected]);
      }
      refreshTable();
      document.documentElement.dataset.ready = String(Number(document.documentElement.dataset.ready ?? 0) + 1);
    }

    // Shows the same table with new rows. The focus stays at its place.
    function refreshTable() {
      const buttons = () => [...byId("table").querySelectorAll("button")];
      const place = buttons().indexOf(document.activeElement);
      const isInTabs = byId("tabs").contains(document.activeElement);
      showTabs();
      if (isInTabs) byId(`tab-${page.table}`).focus();
      else if (place >= 0) (buttons()[place] ?? byId("table")).focus();
    }

    // Draws the same view again, with the same part, selection and focus.
    function redraw() {
      const hasFocus = byId("graph").contains(document.activeElement);
      const { selected } = page;
      apply(page.view, true);
      select(selected);
      if (hasFocus) page.view.boxes[selected]?.focus({ preventScroll: true });
    }

    listen();
    load();
    """#
}
