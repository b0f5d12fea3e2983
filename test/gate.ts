/** Create a gate that blocks code under test until the test opens it. */
export function createTestGate(): { open(): void; whenOpened: Promise<void> } {
  let open = () => {};
  const whenOpened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open: () => open(), whenOpened };
}
