/** What the launcher needs of a logger: details first, as pino takes them. */
export interface Log {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
}
