/** What the emulator needs of a logger: details first, as pino takes them. */
export interface Log {
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}
