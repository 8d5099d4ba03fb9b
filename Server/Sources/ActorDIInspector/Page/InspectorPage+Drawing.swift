extension InspectorPage {
  /// The drawing of the graph, and the views that it can show.
  static let drawing = #"""
    const fonts = { name: "600 12.5px", traits: "10.5px", title: "600 11.5px" };
    const measure = document.createElement("canvas").getContext("2d");
    const fitted = new Map();

    function widthOf(text, font) {
      measure.font = `${font} system-ui, sans-serif`;
      return measure.measureText(text).width;
    }

    // The text, or its beginning with an ellipsis, in a width.
    function fit(text, width, font) {
      const name = `${font} ${width} ${text}`;
      if (fitted.has(name)) return fitted.get(name);
      let fits = text;
      if (widthOf(text, font) > width) {
        let [low, high] = [0, text.length];
        while (low < high) {
          const middle = Math.ceil((low + high) / 2);
          if (widthOf(`${text.slice(0, middle)}…`, font) <= width) low = middle; else high = middle - 1;
        }
        fits = text.slice(0, low) + "…";
      }
      fitted.set(name, fits);
      return fits;
    }

    // The size that shows the texts, within limits.
    function sizeOf(name, text) {
      const width = Math.max(widthOf(name, fonts.name) + 26, widthOf(text, fonts.traits) + 36);
      return { width: Math.ceil(Math.min(210, Math.max(112, width))), height: 42 };
    }

    // The vertices and edges of a view: services, and clusters that stand for their services.
    function makeView(model, view) {
      let shown = model.nodes;
      let more = null;
      if (view.mode === "service") {
        more = neighbourhood(model, model.nodes[view.service], view.depth);
        shown = model.nodes.filter((node) => more.found.has(node.id));
      } else if (view.mode === "clusters") shown = [];
      else if (view.mode === "cluster") shown = model.clusters.get(view.cluster) ?? [];
      const isFramed = view.mode !== "service";
      const vertices = shown.map((node) => {
        const text = traits(node, !isFramed);
        const lane = isFramed && hasLanes(model, node.band) ? node.module : "";
        return { node, text, ...sizeOf(node.name, text), band: isFramed ? node.band : "", lane };
      });
      const places = new Map(vertices.map((vertex, index) => [vertex.node.id, index]));
      if (view.mode === "clusters" || view.mode === "cluster") addClusters(model, view, vertices, places);
      const links = new Map();
      for (const edge of model.edges) {
        const [from, to] = [places.get(edge.from), places.get(edge.to)];
        if (from === undefined || to === undefined) continue;
        const isWhole = vertices[from].node !== undefined && vertices[to].node !== undefined;
        if (!isWhole && from === to) continue;
        const name = isWhole ? `e${edge.index}` : `${from} ${to}`;
        const link = links.get(name);
        if (link === undefined) links.set(name, { from, to, edges: [edge] }); else link.edges.push(edge);
      }
      return { ...view, vertices, edges: [...links.values()], more };
    }

    function hasLanes(model, band) {
      const modules = new Set();
      for (const nodes of model.clusters.values()) if (nodes[0].band === band) modules.add(nodes[0].module);
      return modules.size > 1;
    }

    // In the view of a single cluster, only clusters that are linked with it are shown.
    function addClusters(model, view, vertices, places) {
      const linked = new Set();
      for (const node of view.mode === "cluster" ? vertices.map((vertex) => vertex.node) : []) {
        for (const edge of node.dependencies) linked.add(model.nodes[edge.to].cluster);
        for (const edge of node.dependents) linked.add(model.nodes[edge.from].cluster);
      }
      for (const [name, nodes] of model.clusters) {
        if (view.mode === "cluster" && (name === view.cluster || !linked.has(name))) continue;
        for (const node of nodes) places.set(node.id, vertices.length);
        const built = nodes.reduce((sum, node) => sum + node.instances.length, 0);
        const text = plural(nodes.length, "service") + (built > 0 ? ` · ${built.toLocaleString()} built` : "");
        vertices.push({ cluster: name, nodes, text, ...sizeOf(nodes[0].module, text), height: 48, band: nodes[0].band, lane: "" });
      }
    }

    // Draws a view, and returns its elements by vertex.
    function drawGraph(model, view) {
      const order = Object.keys(lifetimes);
      const bandOf = new Map(model.nodes.map((node) => [node.band, order.indexOf(node.lifetime)]));
      const titles = view.vertices.flatMap((vertex) => [vertex.band, vertex.lane]);
      const titleWidth = Math.min(190, Math.max(...titles.map((title) => widthOf(title, fonts.title)), 0) + 16);
      const room = { width: byId("graph").clientWidth, height: byId("graph").clientHeight };
      const frames = layOut(view.vertices, view.edges, { bandOrder: (band) => bandOf.get(band) ?? 0, titleWidth, room });
      const canvas = svg("g");
      for (const frame of frames) {
        const { kind, title, x, y, width, height } = frame;
        canvas.append(svg("g", { class: `frame ${kind}` },
          svg("title", {}, title),
          kind === "band" ? svg("rect", { x, y, width, height, rx: 8 })
            : frame.line ? svg("path", { d: `M${x - 10} ${y - 1}h${width + 24}` }) : null,
          svg("text", { x: kind === "band" ? x + 10 : x, y: y + (kind === "band" ? 19 : 14) },
            fit(title, titleWidth - 6, fonts.title))));
      }
      const isDense = view.edges.length > 400;
      view.lines = view.edges.map((edge) => drawEdge(edge, view));
      canvas.append(svg("g", { class: isDense ? "edges dense" : "edges" }, ...view.lines));
      view.boxes = view.vertices.map((vertex, index) => (vertex.node ? drawNode(vertex, view) : drawCluster(vertex)));
      for (const [index, box] of view.boxes.entries()) box.dataset.vertex = index;
      canvas.append(svg("g", { class: "nodes" }, ...view.boxes));
      view.bounds = [...view.vertices, ...frames.filter((frame) => frame.kind === "band")].reduce((box, { x, y, width, height }) => ({
        x: Math.min(box.x, x), y: Math.min(box.y, y), right: Math.max(box.right, x + width), bottom: Math.max(box.bottom, y + height),
      }), { x: 0, y: -10, right: 0, bottom: 0 });
      return canvas;
    }

    function edgeClass(edge) {
      if (edge.inCycle) return "cycle";
      if (edge.captive) return "captive";
      return edge.awaits ? "awaits" : "plain";
    }

    const isLoose = (edge) => edge.need === "later" || edge.need === "possible";
    const isHollow = (edge) => ["aliases", "decorates", "chooses"].includes(edge.kind);

    // What differs from a plain, required dependency.
    function edgeText(edge) {
      const parts = edge.kind === "parameter" || edge.kind === "declared" ? [] : [edge.kind];
      if (edge.need !== "required") parts.push(edge.need);
      if (edge.awaits) parts.push("async");
      if (edge.inCycle) parts.push("cycle");
      if (edge.captive) parts.push("captive");
      return parts.join(", ");
    }

    function drawEdge(link, view) {
      const kinds = link.edges.map(edgeClass);
      const kind = ["cycle", "captive", "awaits"].find((kind) => kinds.includes(kind)) ?? "plain";
      const edge = link.edges[0];
      const name = (index) => view.vertices[index].node?.name ?? view.vertices[index].cluster;
      const count = link.edges.length;
      const text = count > 1 ? plural(count, "dependency").replace("dependencys", "dependencies") : edgeText(edge);
      const line = svg("g", { class: `edge ${kind}${link.edges.every(isLoose) ? " loose" : ""}` },
        svg("title", {}, `${name(link.from)} → ${name(link.to)}${text === "" ? "" : `: ${text}`}`),
        svg("path", {
          d: link.path, "marker-end": `url(#${link.edges.every(isHollow) ? "hollow" : "arrow"}-${kind})`,
          "marker-start": kinds.includes("awaits") ? "url(#await)" : null,
        }));
      if (count > 1) {
        line.lastChild.style.strokeWidth = Math.min(4, 1.2 + Math.log2(count) / 3);
        line.append(svg("text", { x: link.middle.x, y: link.middle.y + 3, "text-anchor": "middle" }, count));
      }
      return line;
    }

    function drawNode(vertex, view) {
      const { node, x, y, width, height } = vertex;
      const isRoot = view.mode === "service" && view.service === node.id;
      const text = traits(node);
      const users = plural(node.users, "dependent");
      const box = svg("g", {
        class: `node ${node.lifetime}${node.faulty ? " faulty" : ""}${node.opaque ? " opaque" : ""}${isRoot ? " root" : ""}`,
        transform: `translate(${x} ${y})`, role: "button", tabindex: -1,
        "aria-label": `${node.name}, ${text}, ${users}`,
      },
      svg("title", {}, `${node.service}\n${text}\n${users}${node.source === null ? "" : `\n${node.source}`}`),
      svg("rect", { class: "box", width, height, rx: node.lifetime === "transient" || node.lifetime === "graph" ? 14 : 5 }),
      svg("text", { class: "name", x: 12, y: 18 }, fit(node.name, width - 24, fonts.name)),
      svg("text", { class: "traits", x: 12, y: 33 }, fit(vertex.text, width - 34, fonts.traits)),
      svg("circle", { class: "built", cx: width - 11, cy: height - 12, r: 4 }),
      svg("circle", { class: "building", cx: width - 11, cy: height - 12, r: 7 }));
      if (node.users >= hubSize(view.model)) {
        const badge = `${node.users}`;
        const wide = 14 + 7 * badge.length;
        box.append(svg("g", { class: "hub", transform: `translate(${-wide / 2} -9)` },
          svg("rect", { width: wide, height: 17, rx: 8.5 }), svg("text", { x: wide / 2, y: 12.5, "text-anchor": "middle" }, badge)));
      }
      return box;
    }

    // A hub has at least three dependents, and more in a large graph.
    const hubSize = (model) => Math.max(3, Math.ceil(Math.sqrt(model.nodes.length) / 2));

    function drawCluster({ cluster, nodes, text, x, y, width, height }) {
      return svg("g", {
        class: `node cluster ${nodes[0].lifetime}`, transform: `translate(${x} ${y})`, role: "button", tabindex: -1,
        "aria-label": `Cluster ${cluster}, ${text}`,
      },
      svg("title", {}, `${cluster}\n${text}`),
      svg("rect", { class: "back", x: 4, y: 4, width, height, rx: 8 }),
      svg("rect", { class: "box", width, height, rx: 8 }),
      svg("text", { class: "name", x: 12, y: 20 }, fit(nodes[0].module, width - 24, fonts.name)),
      svg("text", { class: "traits", x: 12, y: 37 }, fit(text, width - 24, fonts.traits)));
    }

    // Marks the services that have instances or are being built. The drawing stays.
    function markBuilds(view) {
      for (const [index, vertex] of view.vertices.entries()) {
        if (vertex.node === undefined) continue;
        const node = view.model.nodes[vertex.node.id];
        view.boxes[index].classList.toggle("is-built", node.instances.length > 0);
        view.boxes[index].classList.toggle("is-building", node.builds.length > 0);
      }
    }
    """#
}
