import { join, posix } from 'node:path';
import type { MarkdownRenderer } from 'vitepress';
import { defineConfig } from 'vitepress';
import { createSection } from './sidebar.ts';

const DOCS = join(import.meta.dirname, '..');
const TITLE = 'QR Profile Service';

export default defineConfig({
  title: TITLE,
  description: 'Guides, operations and reference of the QR Profile Service',
  lang: 'en',
  head: [['link', { rel: 'icon', href: '/icon.svg' }]],
  ignoreDeadLinks: 'localhostLinks',
  rewrites: (id) => id.replace(/README\.md$/, 'index.md'),
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [
      { text: 'Guides', link: '/guides/getting-started', activeMatch: '^/guides/' },
      { text: 'Operations', link: '/operations/', activeMatch: '^/operations/' },
      { text: 'Security', link: '/security/data-protection', activeMatch: '^/security/' },
      { text: 'Reference', link: '/reference/', activeMatch: '^/reference/' },
    ],
    sidebar: {
      '/guides/': [createSection(DOCS, 'guides', 'Guides')],
      '/operations/': [createSection(DOCS, 'operations', 'Operations')],
      '/security/': [createSection(DOCS, 'security', 'Security')],
      '/': [
        createSection(DOCS, 'reference', 'Reference'),
        createSection(DOCS, 'reference/database', 'Database', true),
        createSection(DOCS, 'adr', 'Decisions', true),
        {
          text: 'More',
          items: [
            { text: 'Benchmarks', link: '/benchmarks' },
            { text: 'Glossary', link: '/glossary' },
          ],
        },
      ],
    },
  },
  markdown: {
    config(md) {
      renderDiagrams(md);
      unlinkOtherFiles(md);
    },
  },
  vite: {
    // The bundler of this project only writes current syntax.
    build: { target: 'es2022', chunkSizeWarningLimit: 2_000 },
    optimizeDeps: { esbuildOptions: { target: 'es2022' } },
  },
});

/** Draws fenced code in the language mermaid. */
function renderDiagrams(md: MarkdownRenderer): void {
  const renderFence = md.renderer.rules.fence;
  md.renderer.rules.fence = (tokens, index, options, env, self) => {
    const token = tokens[index];
    if (token?.info.trim() === 'mermaid')
      return `<ClientOnly><MermaidDiagram source="${encodeURIComponent(token.content)}" /></ClientOnly>`;
    return renderFence?.(tokens, index, options, env, self) ?? '';
  };
}

/** Shows links to files of the repository outside of docs/ as text: the site does not have them. */
function unlinkOtherFiles(md: MarkdownRenderer): void {
  md.core.ruler.push('unlink_other_files', ({ tokens, env }) => {
    if (env.relativePath === undefined) return;
    for (const { children } of tokens) {
      let isInside = false;
      for (const token of children ?? []) {
        const href = token.type === 'link_open' ? (token.attrGet('href') ?? '') : '';
        const target = posix.normalize(posix.join(posix.dirname(env.relativePath), href));
        if (href.startsWith('.') && target.startsWith('..')) isInside = true;
        if (!isInside || !token.type.startsWith('link_')) continue;
        if (token.type === 'link_close') isInside = false;
        token.tag = 'span';
        token.attrs = null;
      }
    }
  });
}
