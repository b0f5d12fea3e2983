import type { Locator, Page } from 'playwright-core';

/** Pointing at something and pressing it takes 1.3 s in the keystroke-level model; with looking for it, more. */
const TAP_SECONDS = 2;

/** On a phone, 36 words of five letters a minute. */
const CHARACTER_SECONDS = 1 / 3;

const WORDS_PER_MINUTE = 200;

/** Count what somebody does and reads on pages that are new to them. */
export class ReadingMeter {
  taps = 0;
  characters = 0;
  private readonly lines = new Set<string>();

  async tap(locator: Locator): Promise<void> {
    await this.read(locator.page());
    this.taps += 1;
    await locator.click();
  }

  async type(locator: Locator, text: string): Promise<void> {
    await this.read(locator.page());
    this.taps += 1;
    this.characters += text.length;
    await locator.pressSequentially(text);
  }

  /** What has been read is not read again. */
  async read(page: Page): Promise<void> {
    const text = await page.evaluate<string>("document.querySelector('main').innerText");
    for (const line of text.split('\n')) this.lines.add(line.trim());
  }

  get words(): number {
    return [...this.lines].flatMap((line) => line.match(/[\p{L}\p{N}]+(?:[’'-][\p{L}\p{N}]+)*/gu) ?? [])
      .length;
  }

  /** Seconds for all of it. */
  get seconds(): number {
    const reading = (this.words / WORDS_PER_MINUTE) * 60;
    return this.taps * TAP_SECONDS + this.characters * CHARACTER_SECONDS + reading;
  }
}
