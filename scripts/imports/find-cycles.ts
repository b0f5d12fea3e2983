/**
 * Cycles of a graph, at least one for each knot of nodes that reach each other: the nodes in order, the first
 * one repeated at the end. A node that names itself is a cycle too.
 */
export function findCycles(edges: ReadonlyMap<string, readonly string[]>): string[][] {
  const cycles: string[][] = [];
  const done = new Set<string>();
  const path: string[] = [];

  const visit = (node: string): void => {
    const start = path.indexOf(node);
    if (start >= 0) {
      cycles.push([...path.slice(start), node]);
      return;
    }
    if (done.has(node)) return;
    path.push(node);
    for (const next of edges.get(node) ?? []) visit(next);
    path.pop();
    done.add(node);
  };

  for (const node of [...edges.keys()].sort()) visit(node);
  return cycles;
}
