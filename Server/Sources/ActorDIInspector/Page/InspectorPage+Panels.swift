extension InspectorPage {
  /// The details of a service, the tables and the legend.
  static let panels = #"""
    const serviceButton = (node, text) =>
      html("button", { class: "link", type: "button", onclick: () => show({ mode: "service", service: node.id, depth: page.depth }) },
        html("span", { class: `dot ${node.lifetime}`, "aria-hidden": "true" }), text ?? node.name);

    function chip(text, kind = "") { return html("span", { class: `chip ${kind}` }, text); }

    function showDetails(vertex) {
      const { model } = page;
      if (vertex === undefined) {
        const users = (node) => [serviceButton(node), html("small", {}, ` ${plural(node.users, "dependent")}`)];
        const hubs = model.nodes.filter((node) => node.users >= 2).sort((a, b) => b.users - a.users || a.id - b.id).slice(0, 12);
        const kinds = Object.entries(lifetimes).map(([name, text]) => [name, text, model.nodes.filter((node) => node.lifetime === name).length]);
        byId("details").replaceChildren(
          html("p", { class: "hint" }, "Select a service for its details. Select it again, or press Enter, to see its neighbourhood."),
          ...list("Most used", hubs.map(users)),
          html("h3", { hidden: model.nodes.length === 0 }, "Scopes"),
          html("ul", {}, ...kinds.filter(([, , count]) => count > 0).map(([name, text, count]) => html("li", { class: "share" },
            html("span", { class: `dot ${name}`, "aria-hidden": "true" }), text, html("span", {}, count.toLocaleString())))));
      } else if (vertex.node === undefined) showClusterDetails(vertex);
      else showServiceDetails(model, model.nodes[vertex.node.id]);
    }

    function showServiceDetails(model, node) {
      const rows = [
        ["Type", node.service], ["Made as", node.types.join(", ")], ["Key", node.key], ["Arguments", node.arguments.join(", ")],
        ["Scope", node.scope ?? lifetimes[node.lifetime]], ["Container", model.state.graph.containers[node.container]],
        ["Time to live", node.timeToLive], ["Registered at", node.source],
      ].filter(([, value]) => value !== null && value !== "");
      const chips = [
        chip(node.scope ?? lifetimes[node.lifetime], node.lifetime), ...(node.kind === "registration" ? [] : [chip(node.kind)]),
        ...["eager", "asynchronous", "opaque", "faulty"].filter((trait) => node[trait]).map((trait) => chip(trait, trait)),
      ];
      const isShown = page.view.mode === "service" && page.view.service === node.id;
      byId("details").replaceChildren(
        html("h2", {}, node.name), html("p", { class: "chips" }, ...chips),
        isShown ? "" : html("button", {
          type: "button", class: "wide", onclick: () => show({ mode: "service", service: node.id, depth: page.depth }),
        }, "Show the neighbourhood"),
        html("dl", {}, ...rows.flatMap(([name, value]) => [html("dt", {}, name), html("dd", {}, ...breakable(value))])),
        ...list("Problems", node.problems.map((problem) => html("span", { class: "error" }, problem.text))),
        ...list("Instances", node.instances.map((instance) => `${shortType(instance.type)}${
          instance.age === null ? "" : `, created ${duration(instance.age)} ago, built in ${duration(instance.buildDuration)}`}`)),
        ...list("In flight", node.builds.map((build) => `for ${duration(build.age)}: ${build.path.join(" → ")}`)),
        ...list("Dependencies", links(node.dependencies, (edge) => model.nodes[edge.to])),
        ...list("Dependents", links(node.dependents, (edge) => model.nodes[edge.from])));
    }

    // Long names may be broken after a point or a slash.
    const breakable = (text) => text.split(/(?<=[./])(?=.)/).flatMap((part, index) => (index === 0 ? [part] : [html("wbr"), part]));

    function links(edges, other) {
      return edges.map((edge) => [serviceButton(other(edge)), edgeText(edge) === "" ? "" : html("small", {}, ` ${edgeText(edge)}`)]);
    }

    function showClusterDetails({ cluster, nodes }) {
      const items = [...nodes].sort((a, b) => b.users - a.users).map((node) => [serviceButton(node), html("small", {}, ` ${traits(node)}`)]);
      byId("details").replaceChildren(
        html("h2", {}, cluster), html("p", { class: "chips" }, chip(lifetimes[nodes[0].lifetime], nodes[0].lifetime)),
        html("button", { type: "button", class: "wide", onclick: () => show({ mode: "cluster", cluster }) }, "Show the services"),
        ...list("Services", items));
    }

    // A heading and a list; nothing for an empty list. A long list is cut.
    function list(title, items, limit = 100) {
      if (items.length === 0) return [];
      const rest = items.length - limit;
      return [
        html("h3", {}, `${title} (${items.length.toLocaleString()})`),
        html("ul", {}, ...items.slice(0, limit).map((item) => html("li", {}, ...(Array.isArray(item) ? item : [item])))),
        ...(rest > 0 ? [html("p", { class: "hint" }, `and ${rest.toLocaleString()} more`)] : []),
      ];
    }

    // The columns of the tables: a title, the value to sort by, and the content of a cell if it differs. A last column can depend on the rows.
    const service = { title: "Service", value: (row) => row.name ?? "",
      cell: (row) => (row.node === null ? row.name ?? "" : serviceButton(page.model.nodes[row.node], row.name)) };
    const column = (title, name) => ({ title, value: (row) => row[name] ?? "" });
    const time = (title, name) => ({ title, value: (row) => row[name] ?? -1, cell: (row) => duration(row[name]), isNumber: true });
    const at = { title: "Time", value: (row) => -row.age, cell: (row) => clock(row.age, page.model.fetched), isNumber: true };
    const path = { title: "Path", value: (row) => row.path.join(" → ") };
    const container = { title: "Container", value: (row) => row.container,
      cell: (row) => [row.container, html("small", {}, ` ${row.containerID ?? ""}`)] };
    const error = { title: "Error", value: (row) => row.error ?? row.text ?? "",
      cell: (row) => html("span", { class: "error" }, row.error ?? row.text ?? "") };
    const event = { title: "Event", value: (row) => row.kind,
      cell: (row) => html("span", { class: row.error === null ? "" : "error" }, row.outcome === null ? row.kind : `${row.kind}, ${row.outcome}`) };
    const tables = [
      { id: "problems", title: "Problems", empty: "validate() has found no problem.",
        columns: [column("Code", "code"), column("Kind", "kind"), error, path, column("Container", "container")] },
      { id: "services", title: "Services", empty: "Nothing is registered.", rows: (model) => model.nodes.map((node) => ({ ...node, node: node.id })),
        columns: [service, { title: "Scope", value: (row) => row.scope ?? lifetimes[row.lifetime] }, column("Module", "module"),
          { title: "Made as", value: (row) => row.types.map(shortType).join(", ") },
          { title: "Dependencies", value: (row) => row.dependencies.length, isNumber: true }, { ...column("Dependents", "users"), isNumber: true },
          { title: "Instances", value: (row) => row.instances.length, isNumber: true }, column("Registered at", "source")] },
      { id: "instances", title: "Instances", empty: "The container keeps no instance.",
        columns: [service, { title: "Type", value: (row) => shortType(row.type) }, column("Scope", "scope"), container, at, time("Age", "age"),
          time("Built in", "buildDuration")] },
      { id: "builds", title: "In flight", empty: "Nothing is being built.", columns: [service, container, time("For", "age"), path] },
      { id: "scopes", title: "Open scopes", empty: "No scope is open.", summary: ({ state }) => state.scopeNames.map((each) =>
          chip(`${each.name}: ${each.count.toLocaleString()}${each.idle === 0 ? "" : `, ${each.idle.toLocaleString()} idle`}, the oldest for ${duration(each.age)}`)),
        columns: [column("Scope", "name"), { ...column("Number", "id"), isNumber: true }, column("In container", "container"), time("Open for", "age"),
          { ...column("Uses", "uses"), isNumber: true }, time("Idle for", "idleFor"), { ...column("Key", "key"), isShown: (row) => row.key !== null }] },
      { id: "events", title: "Events", empty: "No event was recorded. The inspector has to be an observer of the container.",
        columns: [at, event, service, column("Scope", "scope"), container, time("Duration", "duration"), path, error] },
      { id: "failures", title: "Failures", empty: "No event with an error was recorded.", columns: [at, event, service, container, path, error] },
    ];

    function showTabs() {
      const { state } = page.model;
      byId("tabs").replaceChildren(...tables.map((table) => {
        const count = state.counts[table.id] ?? (table.rows?.(page.model) ?? state[table.id]).length;
        const isChosen = table.id === page.table;
        return html("button", {
          type: "button", role: "tab", id: `tab-${table.id}`, "aria-selected": String(isChosen), "aria-controls": "table",
          tabindex: isChosen ? 0 : -1, onclick: () => chooseTable(table.id),
        }, table.title, html("span", { class: `count${count > 0 && ["problems", "failures"].includes(table.id) ? " bad" : ""}` }, count.toLocaleString()));
      }));
      showTable();
    }

    function chooseTable(id) {
      page.table = id;
      showTabs();
      byId(`tab-${id}`).focus();
    }

    function showTable() {
      const table = tables.find((table) => table.id === page.table);
      const rows = [...(table.rows?.(page.model) ?? page.model.state[table.id])];
      const order = page.orders[table.id];
      if (order !== undefined) {
        const { value } = table.columns[order.column];
        const compare = (a, b) => (typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b)));
        rows.sort((a, b) => order.sign * compare(value(a), value(b)));
      }
      const limit = 1000;
      byId("table").setAttribute("aria-labelledby", `tab-${table.id}`);
      const columns = table.columns.filter((column) => column.isShown === undefined || rows.some(column.isShown));
      if (rows.length === 0) { byId("table").replaceChildren(html("p", { class: "hint" }, table.empty)); return; }
      byId("table").replaceChildren(
        table.summary === undefined ? "" : html("p", { class: "chips" }, ...table.summary(page.model)),
        html("table", {},
          html("thead", {}, html("tr", {}, ...columns.map((column, index) => heading(table, column, index, order)))),
          html("tbody", {}, ...rows.slice(0, limit).map((row) => html("tr", {}, ...columns.map((column) => {
            const content = column.cell?.(row) ?? column.value(row);
            return html("td", { class: column.isNumber ? "number" : null }, ...(Array.isArray(content) ? content : [content]));
          }))))),
        rows.length > limit ? html("p", { class: "hint" }, `and ${(rows.length - limit).toLocaleString()} more`) : "");
    }

    function heading(table, column, index, order) {
      const sign = order?.column === index ? order.sign : 0;
      return html("th", { scope: "col", "aria-sort": sign === 0 ? null : sign > 0 ? "ascending" : "descending", class: column.isNumber ? "number" : null },
        html("button", {
          type: "button", onclick: () => {
            page.orders[table.id] = { column: index, sign: sign === 0 ? (column.isNumber ? -1 : 1) : -sign };
            showTable();
            byId("table").querySelectorAll("th button")[index].focus();
          },
        }, column.title, html("span", { "aria-hidden": "true" }, sign === 0 ? "" : sign > 0 ? " ▲" : " ▼")));
    }

    function showLegend() {
      const sample = (kind) => svg("svg", { width: 34, height: 18, "aria-hidden": "true" },
        svg("g", { class: `node ${kind}` }, svg("rect", { class: "box", x: 2, y: 2, width: 30, height: 14, rx: kind === "transient" || kind === "graph" ? 7 : 3 })));
      const line = (kind, attributes = {}) => svg("svg", { width: 42, height: 18, "aria-hidden": "true" },
        svg("g", { class: `edge ${kind}` }, svg("path", { d: "M6 9L34 9", "marker-end": `url(#arrow-${kind.split(" ")[0]})`, ...attributes })));
      const dot = (kind) => svg("svg", { width: 18, height: 18, "aria-hidden": "true" },
        svg("g", { class: `node is-built is-building` }, svg("circle", { class: kind, cx: 9, cy: 9, r: kind === "built" ? 4 : 6 })));
      const hub = svg("svg", { width: 26, height: 18, "aria-hidden": "true" },
        svg("g", { class: "hub" }, svg("rect", { width: 26, height: 17, rx: 8.5 }), svg("text", { x: 13, y: 12.5, "text-anchor": "middle" }, "12")));
      const { nodes, edges } = page.model;
      const entry = (picture, text, isUsed = true) => (isUsed ? html("li", {}, picture, text) : null);
      byId("legend").replaceChildren(html("ul", {},
        ...Object.entries(lifetimes).map(([name, text]) => entry(sample(name), text, nodes.some((node) => node.lifetime === name))),
        entry(sample("transient opaque"), "dependencies unknown", nodes.some((node) => node.opaque)),
        entry(sample("transient faulty"), "faulty registration", nodes.some((node) => node.faulty)),
        entry(dot("built"), "has an instance"), entry(dot("building"), "being built"),
        entry(hub, "dependents of a hub", nodes.some((node) => node.users >= hubSize(page.model))), entry(line("plain"), "depends on"),
        entry(line("awaits", { "marker-start": "url(#await)" }), "asynchronous: has to await", edges.some((edge) => edge.awaits)),
        entry(line("plain loose"), "later, or one of several", edges.some(isLoose)),
        entry(line("plain", { "marker-end": "url(#hollow-plain)" }), "alias, decorator or choice", edges.some(isHollow)),
        entry(line("captive"), "captive dependency", edges.some((edge) => edge.captive)),
        entry(line("cycle"), "cycle", edges.some((edge) => edge.inCycle))));
    }
    """#
}
