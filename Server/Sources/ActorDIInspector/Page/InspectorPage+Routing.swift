extension InspectorPage {
  /// The curves of edges.
  static let routing = #"""
    // Adds a `path` and a `middle` to each edge. A curve that passes a column goes through a gap between its vertices.
    function route(vertices, edges, count) {
      const columns = Array.from({ length: count }, () => []);
      for (const vertex of vertices) columns[vertex.column].push(vertex);
      const ports = new Map(edges.map((edge) => [edge, {}]));
      const sides = vertices.map(() => ({ left: [], right: [] }));
      for (const [number, edge] of edges.entries()) {
        const step = vertices[edge.to].column - vertices[edge.from].column;
        // Forward from the right side to the left one, back the other way, and within a column on the right.
        sides[edge.from][step < 0 ? "left" : "right"].push({ edge, number, end: "from", other: vertices[edge.to] });
        sides[edge.to][step > 0 ? "left" : "right"].push({ edge, number, end: "to", other: vertices[edge.from] });
      }
      // The curves at one side of a vertex are spread in the order of their other ends.
      for (const [index, vertex] of vertices.entries()) {
        for (const list of Object.values(sides[index])) {
          list.sort((a, b) => a.other.y - b.other.y || a.number - b.number);
          const room = Math.min(vertex.height - 12, (list.length - 1) * 7);
          for (const [place, { edge, end }] of list.entries()) {
            const share = list.length === 1 ? 0 : place / (list.length - 1) - 0.5;
            ports.get(edge)[end] = vertex.y + vertex.height / 2 + share * room;
          }
        }
      }
      for (const edge of edges) trace(edge, vertices[edge.from], vertices[edge.to], ports.get(edge), columns);
    }

    function trace(edge, source, target, port, columns) {
      const way = Math.sign(target.column - source.column);
      const length = 7;
      const start = { x: way < 0 ? source.x : source.x + source.width, y: port.from };
      const end = { x: way > 0 ? target.x - length : target.x + target.width + length, y: port.to };
      if (way === 0) {
        const x = start.x + 26 + Math.min(40, Math.abs(start.y - end.y) / 6);
        edge.path = `M${start.x} ${start.y}C${x} ${start.y} ${x} ${end.y} ${end.x} ${end.y}`;
        edge.middle = { x: x - 8, y: (start.y + end.y) / 2 };
        return;
      }
      const points = [start];
      for (let number = source.column + way; number !== target.column; number += way) {
        const column = columns[number];
        if (column.length === 0) continue;
        const sides = [column[0].x - 4, column[0].x + column[0].width + 4];
        const last = points[points.length - 1];
        const near = way > 0 ? sides[0] : sides[1];
        const y = freeAt(column, last.y + ((end.y - last.y) * (near - last.x)) / (end.x - last.x));
        points.push({ x: near, y }, { x: way > 0 ? sides[1] : sides[0], y });
      }
      points.push(end);
      edge.path = `M${start.x} ${start.y}`;
      for (let index = 1; index < points.length; index += 1) {
        const [a, b] = [points[index - 1], points[index]];
        const bend = (way * Math.max(10, Math.abs(b.x - a.x))) / 2;
        edge.path += index % 2 === 0 ? `L${b.x} ${b.y}` : `C${a.x + bend} ${a.y} ${b.x - bend} ${b.y} ${b.x} ${b.y}`;
      }
      // On the curve at t = 0.4, so that the numbers of two clusters that need each other stand apart.
      edge.middle = { x: points[0].x + 0.424 * (points[1].x - points[0].x), y: points[0].y + 0.352 * (points[1].y - points[0].y) };
    }

    // The position nearest to the wanted one that no vertex of the column covers.
    function freeAt(column, wanted) {
      const margin = 5;
      const isFree = (y) => column.every((vertex) => y < vertex.y - margin + 0.5 || y > vertex.y + vertex.height + margin - 0.5);
      if (isFree(wanted)) return wanted;
      let best = null;
      for (const vertex of column) {
        for (const y of [vertex.y - margin, vertex.y + vertex.height + margin]) {
          if ((best === null || Math.abs(y - wanted) < Math.abs(best - wanted)) && isFree(y)) best = y;
        }
      }
      return best ?? wanted;
    }
    """#
}
