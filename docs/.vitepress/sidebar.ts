import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DefaultTheme } from 'vitepress';

interface Page {
  text: string;
  link: string;
  /** Where the overview links it; at the end, if it does not. */
  position: number;
}

/**
 * The pages of a folder: the overview first, then in the order of the links in its README, in groups by its headings.
 */
export function createSection(
  root: string,
  folder: string,
  text: string,
  isCollapsed?: boolean,
): DefaultTheme.SidebarItem[] {
  const names = readdirSync(join(root, folder)).filter((name) => name.endsWith('.md'));
  const overview = names.includes('README.md') ? read(join(root, folder, 'README.md')) : '';
  const pages: Page[] = names
    .filter((name) => name !== 'README.md')
    .map((name) => ({
      text: /^# (.+)$/m.exec(read(join(root, folder, name)))?.[1]?.replaceAll('`', '') ?? name,
      link: `/${folder}/${name.replace(/\.md$/, '')}`,
      position: findPosition(overview, name),
    }))
    .sort((one, other) => one.position - other.position || one.text.localeCompare(other.text, 'en'));
  const home: Page[] = overview ? [{ text: 'Overview', link: `/${folder}/`, position: 0 }] : [];
  const headings = [...overview.matchAll(/^## (.+)$/gm)];
  const starts = [0, ...headings.map(({ index }) => index)];
  const titles = [text, ...headings.map(([, heading = '']) => heading)];
  const groups = titles.map((title, number) => {
    const end = starts[number + 1] ?? Number.POSITIVE_INFINITY;
    const isInGroup = ({ position }: Page) => (starts[number] ?? 0) <= position && position < end;
    const items = [...home, ...pages].filter(isInGroup).map((page) => ({ text: page.text, link: page.link }));
    return { text: title, ...(isCollapsed === undefined ? {} : { collapsed: isCollapsed }), items };
  });
  return groups.filter(({ items }) => items.length > 0);
}

function findPosition(overview: string, name: string): number {
  const position = overview.indexOf(`](${name}`);
  return position < 0 ? Number.MAX_SAFE_INTEGER : position;
}

function read(file: string): string {
  return readFileSync(file, 'utf8');
}
