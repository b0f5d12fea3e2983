import { getActiveSpan, type Span, type SpanAttributes } from '../shared/tracing.ts';
import { describeStatement, getStatementText } from './describe-statement.rules.ts';
import { slowDatabaseStatements } from './monitoring/metrics.ts';

/** Counted and logged, by verb and table. */
const SLOW_STATEMENT_MS = 500;

interface TimedStatementOptions {
  send: (rest: readonly unknown[]) => unknown;
  /** In traces: the primary, or a replica. */
  server: SpanAttributes;
  onSlowStatement: ((statement: string, ms: number) => void) | undefined;
  onSuccess: (answer: unknown) => void;
  /** Get the error that the caller receives. */
  toFinalError: (error: unknown) => unknown;
}

/** Time and trace a statement that returns a promise or takes a callback. Cursors and copies last as long as their reader. */
export function timeStatement(
  statement: unknown,
  rest: readonly unknown[],
  { send, server, onSlowStatement, onSuccess, toFinalError }: TimedStatementOptions,
): unknown {
  const startedAt = performance.now();
  const parent = getActiveSpan();
  let span: Span | undefined;
  const startSpan = () => {
    if (!parent) return;
    const name = describeKnownStatement(statement);
    const attributes = { 'db.system.name': 'postgresql', 'db.query.summary': name, ...server };
    span = parent.startChild(name, { kind: 'client', attributes });
  };
  const stopTimer = (error?: unknown) => {
    if (error) span?.recordError(error);
    span?.end();
    const ms = performance.now() - startedAt;
    if (ms < SLOW_STATEMENT_MS) return;
    const name = describeStatement(statement);
    slowDatabaseStatements.inc({ statement: name });
    onSlowStatement?.(name, Math.round(ms));
  };
  const callback = rest.at(-1);
  if (typeof callback === 'function') {
    startSpan();
    const onAnswered = (error: unknown, ...results: unknown[]) => {
      stopTimer(error);
      if (!error) onSuccess(results[0]);
      Reflect.apply(callback, undefined, [error ? toFinalError(error) : error, ...results]);
    };
    return send([...rest.slice(0, -1), onAnswered]);
  }
  const result = send(rest);
  if (result instanceof Promise) {
    startSpan();
    return result.then(
      (answer: unknown) => {
        stopTimer();
        onSuccess(answer);
        return answer;
      },
      (error: unknown) => {
        stopTimer(error);
        throw toFinalError(error);
      },
    );
  }
  return result;
}

/** Describing takes longer than the rest of a span; texts repeat, but lists of parameters make new, long ones. */
const knownStatements = new Map<string, string>();
const MAX_KNOWN_STATEMENTS = 500;
const MAX_KNOWN_CHARACTERS = 10_000;

function describeKnownStatement(statement: unknown): string {
  const text = getStatementText(statement);
  const known = knownStatements.get(text);
  if (known !== undefined) return known;
  const name = describeStatement(text);
  if (text.length > MAX_KNOWN_CHARACTERS) return name;
  if (knownStatements.size === MAX_KNOWN_STATEMENTS) knownStatements.clear();
  knownStatements.set(text, name);
  return name;
}
