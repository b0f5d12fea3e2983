const FILE_NAME_PATTERN = /^(?:[a-z0-9][a-z0-9.-]{0,63}\/)?[a-z0-9][a-z0-9.-]{0,199}$/;

/** Whether a store may give a file this name. */
export function isValidFileName(name: string): boolean {
  return FILE_NAME_PATTERN.test(name);
}

/** A name that leads to nowhere else; throws an Error for any other, which no caller makes. */
export function requireValidFileName(name: string): string {
  if (!isValidFileName(name)) throw new Error('This is no name of a file.');
  return name;
}
