/** The part of a pino logger that the emulator uses. */
export interface Log {
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}
