import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DefaultTheme } from 'vitepress';

/**
 * The pages of a folder: the overview first, then in the order of the links in its README, then by title, "Getting
 * started" before all others.
 */
export function createSection(
  root: string,
  folder: string,
  text: string,
  isCollapsed?: boolean,
): DefaultTheme.SidebarItem {
  const names = readdirSync(join(root, folder)).filter((name) => name.endsWith('.md'));
  const overview = names.includes('README.md') ? read(join(root, folder, 'README.md')) : '';
  const pages = names
    .filter((name) => name !== 'README.md')
    .map((name) => ({
      text: /^# (.+)$/m.exec(read(join(root, folder, name)))?.[1]?.replaceAll('`', '') ?? name,
      link: `/${folder}/${name.replace(/\.md$/, '')}`,
      position: name === 'getting-started.md' ? -1 : findPosition(overview, name),
    }))
    .sort((one, other) => one.position - other.position || one.text.localeCompare(other.text, 'en'));
  const items = pages.map(({ text: title, link }) => ({ text: title, link }));
  return {
    text,
    ...(isCollapsed === undefined ? {} : { collapsed: isCollapsed }),
    items: overview ? [{ text: 'Overview', link: `/${folder}/` }, ...items] : items,
  };
}

function findPosition(overview: string, name: string): number {
  const position = overview.indexOf(`](${name}`);
  return position < 0 ? Number.MAX_SAFE_INTEGER : position;
}

function read(file: string): string {
  return readFileSync(file, 'utf8');
}
