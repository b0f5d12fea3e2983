import { findErrorCode } from '../error-reason.ts';

export interface SerializedError {
  name: string;
  code?: string;
  /** Of the database: the name of the broken constraint. */
  constraint?: string;
  frames: string[];
  cause?: SerializedError;
}

const MAX_STACK_FRAMES = 12;
const MAX_CAUSES = 3;

/** Serialize an error for the log without its message: drivers, parsers and even TypeError quote user input. */
export function serializeErrorForLog(error: unknown, maxCauses: number = MAX_CAUSES): SerializedError {
  if (!(error instanceof Error)) return { name: typeof error, frames: [] };
  const serialized: SerializedError = { name: error.name, frames: getStackFrames(error) };
  const code = findErrorCode(error);
  if (code !== undefined) serialized.code = code;
  const constraint = 'constraint' in error ? error.constraint : undefined;
  if (typeof constraint === 'string') serialized.constraint = constraint;
  if (error.cause !== undefined && maxCauses > 0)
    serialized.cause = serializeErrorForLog(error.cause, maxCauses - 1);
  return serialized;
}

function getStackFrames(error: Error): string[] {
  const stack = error.stack ?? '';
  // A message can contain lines that look like frames.
  const start = error.message === '' ? 0 : stack.lastIndexOf(error.message) + error.message.length;
  return stack
    .slice(start)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.startsWith('at '))
    .slice(0, MAX_STACK_FRAMES);
}
