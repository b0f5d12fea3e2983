import pg from 'pg';

export interface SqlStatement {
  text: string;
  values: unknown[];
  /** Milliseconds until the answer, with the plan that the connection had. */
  took: number;
}

/** Record the statements that the driver sends during the work. */
export async function captureStatements(work: () => Promise<unknown>): Promise<SqlStatement[]> {
  const statements: SqlStatement[] = [];
  const original = pg.Client.prototype.query;
  pg.Client.prototype.query = function captureQuery(this: pg.Client, ...args: unknown[]) {
    const [first, second] = args;
    const { text, values } =
      typeof first === 'object' && first !== null
        ? { text: Reflect.get(first, 'text'), values: Reflect.get(first, 'values') ?? second }
        : { text: first, values: second };
    if (
      typeof text !== 'string' ||
      !/^\s*(?:\/\*[^*]*\*\/\s*)?(SELECT|INSERT|UPDATE|DELETE|WITH)\b/i.test(text)
    )
      return Reflect.apply(original, this, args);
    const statement = { text, values: Array.isArray(values) ? values : [], took: 0 };
    statements.push(statement);
    const startedAt = performance.now();
    const stop = () => {
      statement.took = performance.now() - startedAt;
    };
    const callback = args.at(-1);
    if (typeof callback !== 'function') {
      const result = Reflect.apply(original, this, args);
      result.then(stop, stop);
      return result;
    }
    const stopAndCall = (...results: unknown[]) => {
      stop();
      Reflect.apply(callback, undefined, results);
    };
    return Reflect.apply(original, this, [...args.slice(0, -1), stopAndCall]);
  };
  try {
    await work();
  } finally {
    pg.Client.prototype.query = original;
  }
  return statements;
}
