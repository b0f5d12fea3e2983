/** The part of a pino logger that the launcher uses. */
export interface Log {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
}
