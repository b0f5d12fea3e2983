/** What start-up and shutdown need of a logger: one line each, details first, as pino takes them. */
export interface ProcessLog {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}
