extension InspectorPage {
  /// A layered layout: columns by dependency, bands by scope, lanes within a band by module.
  static let layout = #"""
    const gap = { layer: 56, column: 26, row: 14, lane: 18, band: 8 };

    // Vertices have `width`, `height`, `band` and `lane`; edges have `from` and `to`, indices of vertices. Sets `x`, `y` and `column` of
    // each vertex, and `path` and `middle` of each edge. Returns the frames of bands and lanes, for titles of the given width.
    function layOut(vertices, edges, { bandOrder, titleWidth, room }) {
      const links = acyclic(vertices.length, edges);
      const layers = layersOf(vertices, links);
      const bands = lanesOf(vertices, links, layers, bandOrder);
      orderLanes(vertices, links, bands);
      const columns = wrap(vertices, bands, room);
      const frames = place(vertices, links, bands, columns, titleWidth);
      route(vertices, edges, columns.length);
      return frames;
    }

    // Reverses the edges that close a cycle, found by a depth-first search without recursion.
    function acyclic(count, edges) {
      const out = Array.from({ length: count }, () => []);
      for (const edge of edges) if (edge.from !== edge.to) out[edge.from].push(edge.to);
      const state = new Uint8Array(count);
      const links = { out: Array.from({ length: count }, () => []), into: Array.from({ length: count }, () => []) };
      const link = (from, to) => { links.out[from].push(to); links.into[to].push(from); };
      const entries = Array.from({ length: count }, () => 0);
      for (const edge of edges) if (edge.from !== edge.to) entries[edge.to] += 1;
      const roots = [...Array(count).keys()].sort((a, b) => entries[a] - entries[b]);
      for (const root of roots) {
        if (state[root] !== 0) continue;
        const stack = [[root, 0]];
        state[root] = 1;
        while (stack.length > 0) {
          const top = stack[stack.length - 1];
          const [from, next] = top;
          if (next === out[from].length) { state[from] = 2; stack.pop(); continue; }
          top[1] += 1;
          const to = out[from][next];
          if (state[to] === 1) { link(to, from); continue; }
          link(from, to);
          if (state[to] === 0) { state[to] = 1; stack.push([to, 0]); }
        }
      }
      return links;
    }

    // The longest path from a vertex without dependents; such a vertex moves next to its nearest dependency.
    function layersOf(vertices, links) {
      const layers = new Array(vertices.length).fill(0);
      const open = links.into.map((list) => list.length);
      const queue = [...vertices.keys()].filter((vertex) => open[vertex] === 0);
      for (let index = 0; index < queue.length; index += 1) {
        for (const to of links.out[queue[index]]) {
          layers[to] = Math.max(layers[to], layers[queue[index]] + 1);
          open[to] -= 1;
          if (open[to] === 0) queue.push(to);
        }
      }
      for (const vertex of queue) {
        if (links.into[vertex].length > 0 || links.out[vertex].length === 0) continue;
        layers[vertex] = links.out[vertex].reduce((least, to) => Math.min(least, layers[to] - 1), Infinity);
      }
      return layers;
    }

    // Bands in order, each with its lanes, each with a list of vertices for every layer.
    function lanesOf(vertices, links, layers, bandOrder) {
      const depth = layers.reduce((most, layer) => Math.max(most, layer), 0) + 1;
      const bands = new Map();
      const alone = [];
      for (const [index, vertex] of vertices.entries()) {
        if (!bands.has(vertex.band)) bands.set(vertex.band, new Map());
        const band = bands.get(vertex.band);
        if (!band.has(vertex.lane)) band.set(vertex.lane, Array.from({ length: depth }, () => []));
        if (links.into[index].length + links.out[index].length === 0) alone.push(index);
        else band.get(vertex.lane)[layers[index]].push(index);
      }
      // Vertices without edges fill the shortest columns of their lane.
      for (const index of alone) {
        const columns = bands.get(vertices[index].band).get(vertices[index].lane);
        columns.reduce((best, list) => (list.length < best.length ? list : best)).push(index);
      }
      const byName = (a, b) => a[0].localeCompare(b[0]);
      return [...bands].sort((a, b) => bandOrder(a[0]) - bandOrder(b[0]) || byName(a, b))
        .map(([name, lanes]) => ({ name, lanes: [...lanes].sort(byName).map(([name, columns]) => ({ name, columns })) }));
    }

    // Sorts the vertices of each column by the mean position of their neighbours, in sweeps from left to right and back.
    function orderLanes(vertices, links, bands) {
      const position = new Array(vertices.length).fill(0);
      const number = () => {
        const next = [];
        for (const band of bands) {
          for (const lane of band.lanes) {
            for (const [layer, column] of lane.columns.entries()) {
              for (const vertex of column) { position[vertex] = next[layer] ?? 0; next[layer] = position[vertex] + 1; }
            }
          }
        }
      };
      const mean = (list, vertex) =>
        list.length === 0 ? position[vertex] : list.reduce((sum, other) => sum + position[other], 0) / list.length;
      number();
      const sweeps = vertices.length > 400 ? 4 : 12;
      for (let sweep = 0; sweep < sweeps; sweep += 1) {
        const neighbours = sweep % 2 === 0 ? links.into : links.out;
        for (const band of bands) {
          for (const lane of band.lanes) {
            for (const column of lane.columns) {
              const wanted = new Map(column.map((vertex) => [vertex, mean(neighbours[vertex], vertex)]));
              column.sort((a, b) => wanted.get(a) - wanted.get(b) || a - b);
            }
          }
        }
        number();
      }
    }

    // Divides long columns, so that the drawing fits the room in the largest scale. Returns the widths of the columns and the gaps
    // before them.
    function wrap(vertices, bands, room) {
      const lanes = bands.flatMap((band) => band.lanes);
      const layers = lanes[0]?.columns.length ?? 0;
      const height = Math.max(...vertices.map((vertex) => vertex.height), 0) + gap.row;
      const width = vertices.reduce((sum, vertex) => sum + vertex.width, 0) / Math.max(1, vertices.length) + gap.column;
      const parts = (rows) => Array.from({ length: layers }, (_, layer) =>
        Math.max(1, ...lanes.map((lane) => Math.ceil(lane.columns[layer].length / rows))));
      const scale = (rows) => {
        const wide = parts(rows).reduce((sum, count) => sum + count * width + gap.layer, 0);
        const tall = lanes.reduce((sum, lane) => sum + gap.lane + gap.band
          + height * Math.min(rows, Math.max(...lane.columns.map((column) => column.length))), 0);
        return Math.min(room.width / wide, room.height / tall);
      };
      const rows = [200, 100, 60, 44, 34, 26, 20, 16, 12, 10, 8, 6, 5, 4, 3].reduce((best, rows) => (scale(rows) > scale(best) * 1.02 ? rows : best));
      const counts = parts(rows);
      for (const lane of lanes) {
        // Row by row, so that a vertex stays at about its height.
        lane.columns = lane.columns.flatMap((column, layer) => {
          const used = Math.max(1, Math.ceil(column.length / rows));
          return Array.from({ length: counts[layer] }, (_, part) => column.filter((_, index) => part < used && index % used === part));
        });
        for (const [column, list] of lane.columns.entries()) for (const vertex of list) vertices[vertex].column = column;
      }
      const columns = counts.flatMap((count) => Array.from({ length: count }, (_, part) =>
        ({ width: 0, gap: part === 0 ? gap.layer : gap.column, isPart: count > 1 })));
      for (const vertex of vertices) columns[vertex.column].width = Math.max(columns[vertex.column].width, vertex.width);
      return columns.length > 0 ? columns.with(0, { ...columns[0], gap: 0 }) : columns;
    }

    function place(vertices, links, bands, columns, titleWidth) {
      let right = 0;
      for (const column of columns) {
        column.left = right + (column.width > 0 ? column.gap : 0);
        right = column.left + column.width;
      }
      const frames = [];
      let top = 0;
      for (const band of bands) {
        const start = top;
        for (const [number, lane] of band.lanes.entries()) {
          const heights = lane.columns.map((column) =>
            column.reduce((sum, vertex) => sum + vertices[vertex].height + gap.row, -gap.row));
          const height = Math.max(...heights, 0);
          if (lane.name !== "") {
            frames.push({ kind: "lane", title: lane.name, x: -titleWidth, y: number === 0 ? top + 14 : top - 8, line: number > 0, width: right + titleWidth });
          }
          for (const [index, column] of lane.columns.entries()) {
            let y = columns[index].isPart ? top : top + (height - Math.max(heights[index], 0)) / 2;
            for (const number of column) {
              Object.assign(vertices[number], { x: columns[index].left, y, width: columns[index].width });
              y += vertices[number].height + gap.row;
            }
          }
          lane.top = top;
          lane.bottom = top + height;
          top += height + gap.lane;
        }
        if (band.name !== "") {
          frames.push({ kind: "band", title: band.name, x: -titleWidth - 10, y: start - 9, width: right + titleWidth + 24, height: top - start });
        }
        top += gap.band;
      }
      for (let round = 0; round < 6; round += 1) align(vertices, round % 2 === 0 ? links.out : links.into, bands, columns);
      return frames.reverse();
    }

    // Moves vertices towards the middle of their neighbours, in order and within their lane.
    function align(vertices, neighbours, bands, columns) {
      const middle = (vertex) => vertices[vertex].y + vertices[vertex].height / 2;
      for (const band of bands) {
        for (const lane of band.lanes) {
          for (const [index, column] of lane.columns.entries()) {
            if (columns[index].isPart) continue;
            let least = lane.top;
            for (const vertex of column) {
              const list = neighbours[vertex];
              const wanted = list.length === 0 ? vertices[vertex].y
                : list.reduce((sum, other) => sum + middle(other), 0) / list.length - vertices[vertex].height / 2;
              vertices[vertex].y = Math.max(least, Math.min(wanted, lane.bottom - vertices[vertex].height));
              least = vertices[vertex].y + vertices[vertex].height + gap.row;
            }
            let most = lane.bottom;
            for (const vertex of [...column].reverse()) {
              vertices[vertex].y = Math.min(vertices[vertex].y, most - vertices[vertex].height);
              most = vertices[vertex].y - gap.row;
            }
          }
        }
      }
    }
    """#
}
