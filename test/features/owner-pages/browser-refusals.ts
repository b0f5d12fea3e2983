import type { Page } from 'playwright-core';

/** Collect what the Content-Security-Policy refuses, and errors of scripts. */
export function listRefusals(page: Page): string[] {
  const refusals: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' && !/status of 4\d\d/.test(message.text())) refusals.push(message.text());
  });
  page.on('pageerror', (error) => refusals.push(error.message));
  return refusals;
}

/** The frame of a preview runs none, by its sandbox. */
export function withoutScriptsOfFrames(refusals: readonly string[]): string[] {
  return refusals.filter((text) => !text.includes("'allow-scripts' permission is not set"));
}
