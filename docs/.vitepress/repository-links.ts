import { posix } from 'node:path';
import type { MarkdownRenderer } from 'vitepress';

/** Pages that include a file of the repository. Its links start at the root of the repository. */
const PAGES: Readonly<Record<string, string>> = {
  'ARCHITECTURE.md': '/project/architecture',
  'CHANGELOG.md': '/project/changelog',
  'CONTRIBUTING.md': '/project/contributing',
};

const FILE = /^\/[\w-]+\.(?:sh|json)$/;

/**
 * Make links of the repository work on the site: to pages, and to files in docs/public. Links to other files of the
 * repository are shown as text.
 */
export function linkRepositoryFiles(md: MarkdownRenderer): void {
  md.core.ruler.push('link_repository_files', ({ tokens, env }) => {
    const page: string | undefined = env.relativePath;
    if (page === undefined) return;
    const isIncluded = page.startsWith('project/');
    const folder = isIncluded ? '.' : posix.join('docs', posix.dirname(page));
    for (const { children } of tokens) {
      let isInside = false;
      for (const token of children ?? []) {
        const href = token.type === 'link_open' ? (token.attrGet('href') ?? '') : '';
        const isRelative = href !== '' && !/^(?:[a-z]+:|[/#])/i.test(href);
        const target = isRelative ? toSiteLink(posix.join(folder, href), isIncluded) : undefined;
        if (target && token.type === 'link_open') token.attrSet('href', target);
        // A file, not a page that the site's script could show.
        if (target && FILE.test(target)) token.attrSet('target', '_self');
        if (target === null) isInside = true;
        if (!isInside || !token.type.startsWith('link_')) continue;
        if (token.type === 'link_close') isInside = false;
        token.tag = 'span';
        token.attrs = null;
      }
    }
  });
}

/** Null for a file that the site does not have; undefined for a link that VitePress resolves itself. */
function toSiteLink(target: string, isIncluded: boolean): string | null | undefined {
  const [path = '', anchor] = target.split('#');
  const hash = anchor === undefined ? '' : `#${anchor}`;
  const page = PAGES[path];
  if (page !== undefined) return `${page}${hash}`;
  if (path.startsWith('docs/public/')) return path.replace('docs/public', '');
  if (!path.startsWith('docs/')) return null;
  return isIncluded ? `${path.replace('docs', '').replace(/README\.md$/, 'index.md')}${hash}` : undefined;
}
