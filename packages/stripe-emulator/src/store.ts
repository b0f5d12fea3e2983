export interface EmulatorStore {
  /** @returns undefined when the file is absent */
  read(file: string): Promise<string | undefined>;
  /** Write a file atomically, readable by its owner only. */
  write(file: string, text: string): Promise<void>;
}
