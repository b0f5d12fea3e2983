import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

export interface CodeBlock {
  /** First word after the fence, such as `sh`. */
  language: string;
  /** Words after the language, such as `no-run`. */
  flags: readonly string[];
  code: string;
  /** Offset of the end of the block in the text. */
  end: number;
}

const FENCE = /^```(\S*)[ \t]*(.*)\n([\s\S]*?)^```$/gm;

export function parseCodeBlocks(markdown: string): CodeBlock[] {
  return [...markdown.matchAll(FENCE)].map((match) => ({
    language: match[1] ?? '',
    flags: (match[2] ?? '').split(/\s+/).filter(Boolean),
    code: match[3] ?? '',
    end: match.index + match[0].length,
  }));
}

/**
 * Find the text of a section with its heading, up to the next heading of the same or a higher level; empty if missing.
 */
export function findSection(markdown: string, heading: string): string {
  const lines = markdown.split('\n');
  const start = lines.indexOf(heading);
  if (start < 0) return '';
  const level = heading.indexOf(' ');
  const length = lines.slice(start + 1).findIndex((line) => {
    const marks = /^#+(?= )/.exec(line)?.[0].length;
    return marks !== undefined && marks <= level;
  });
  return lines.slice(start, length < 0 ? undefined : start + 1 + length).join('\n');
}

export function listHeadings(markdown: string): string[] {
  return removeCodeBlocks(markdown)
    .split('\n')
    .filter((line) => /^#{1,6} /.test(line));
}

export function removeCodeBlocks(markdown: string): string {
  return markdown.replace(FENCE, '');
}

export async function listMarkdownFiles(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true });
  return names
    .filter((name) => name.endsWith('.md') && !/(?:^|\/)(?:node_modules|\.vitepress)\//.test(name))
    .map((name) => join(folder, name))
    .toSorted();
}
