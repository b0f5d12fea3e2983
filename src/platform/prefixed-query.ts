import pg from 'pg';

/** To pass to the driver. */
interface PrefixedQuery {
  query: pg.Submittable;
  answer: Answer;
}

type Answer = (error: Error | null, result?: unknown) => void;

/** Several statements in one text: sent by the simple protocol, which takes no parameters. */
const SEVERAL_STATEMENTS_PATTERN = /;\s*\S/;

/**
 * Create a query that is sent together with the statements before it, in one round trip. The first that fails rejects it.
 * Outside a transaction all of them are one; `BEGIN` begins one that stays open.
 */
export function createPrefixedQuery(
  prefix: readonly string[],
  statement: string | pg.QueryConfig,
  values: unknown[] | undefined,
  answer: Answer,
): PrefixedQuery {
  const config = typeof statement === 'string' ? { text: statement } : statement;
  const parameters = values ?? config.values ?? [];
  if (parameters.length === 0 && SEVERAL_STATEMENTS_PATTERN.test(config.text))
    return createSimpleQuery(prefix, config, answer);
  const query = new pg.Query({ ...config, values: parameters, queryMode: 'extended' } as pg.QueryConfig);
  const inner = query as unknown as QueryHandlers;
  const { name, prepare, handleDataRow, handleCommandComplete, handleError } = inner;
  let unanswered = 0;
  // The answers to the prefix are not those of a statement that is prepared.
  Object.defineProperty(inner, 'name', { get: () => (unanswered > 0 ? undefined : name) });
  const prefixed = Object.assign(inner, {
    prepare(connection: QueryConnection) {
      for (const text of prefix) {
        connection.parse({ text, name: '', types: [] });
        connection.bind({ portal: '', statement: '', values: [] });
        connection.execute({ portal: '', rows: 0 });
      }
      prepare.call(inner, connection);
      unanswered = prefix.length;
    },
    handleDataRow(message: unknown) {
      if (unanswered === 0) handleDataRow.call(inner, message);
    },
    handleCommandComplete(message: unknown, connection: QueryConnection) {
      if (unanswered > 0) unanswered -= 1;
      else handleCommandComplete.call(inner, message, connection);
    },
    handleError(error: Error, connection: QueryConnection) {
      if (unanswered > 0 && name) delete connection.submittedNamedStatements[name];
      handleError.call(inner, error, connection);
    },
  });
  return { query: prefixed as unknown as pg.Submittable, answer };
}

function createSimpleQuery(prefix: readonly string[], config: pg.QueryConfig, answer: Answer): PrefixedQuery {
  const text = [...prefix, config.text].join('; ');
  const query = new pg.Query({ ...config, text, values: [] });
  const toOwnResults = (results: unknown) => {
    const own = Array.isArray(results) ? results.slice(prefix.length) : [results];
    return own.length === 1 ? own[0] : own;
  };
  return {
    query: query as unknown as pg.Submittable,
    answer: (error, results) => (error ? answer(error) : answer(null, toOwnResults(results))),
  };
}

/** What the driver calls of its queries, and they of its connection; not in its types. */
interface QueryHandlers {
  name: string | undefined;
  prepare(connection: QueryConnection): void;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, connection: QueryConnection): void;
  handleError(error: Error, connection: QueryConnection): void;
}

interface QueryConnection {
  submittedNamedStatements: Record<string, string>;
  parse(message: { text: string; name: string; types: unknown[] }): void;
  bind(message: { portal: string; statement: string; values: unknown[] }): void;
  execute(message: { portal: string; rows: number }): void;
}
