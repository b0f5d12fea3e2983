import { join } from 'node:path';
import type { MarkdownRenderer } from 'vitepress';
import { defineConfig } from 'vitepress';
import { linkRepositoryFiles } from './repository-links.ts';
import { createSection } from './sidebar.ts';

const DOCS = join(import.meta.dirname, '..');
const TITLE = 'QR Profile Service';

export default defineConfig({
  title: TITLE,
  description: 'Guides, operations and reference of the QR Profile Service',
  lang: 'en',
  head: [['link', { rel: 'icon', href: '/icon.svg' }]],
  ignoreDeadLinks: [/^http:\/\/localhost/, '/helpers.sh'],
  rewrites: (id) => id.replace(/README\.md$/, 'index.md'),
  themeConfig: {
    search: {
      provider: 'local',
      // VitePress copies the function into the page: it uses nothing from outside.
      options: {
        miniSearch: {
          searchOptions: {
            boostDocument: (page: string) => {
              if (/^\/(?:guides|operations)\//.test(page)) return 3;
              if (/^\/reference\/(?!database)/.test(page)) return 2;
              return 1;
            },
          },
        },
      },
    },
    outline: [2, 3],
    nav: [
      { text: 'Guides', link: '/guides/', activeMatch: '^/guides/' },
      { text: 'Reference', link: '/reference/', activeMatch: '^/reference/' },
      { text: 'Operations', link: '/operations/', activeMatch: '^/operations/' },
      { text: 'Security', link: '/security/data-protection', activeMatch: '^/security/' },
      {
        text: 'Project',
        link: '/project/contributing',
        activeMatch: '^/(?:project|adr|glossary|benchmarks)',
      },
    ],
    sidebar: {
      '/guides/': createSection(DOCS, 'guides', 'Guides'),
      '/operations/': createSection(DOCS, 'operations', 'Operations'),
      '/security/': createSection(DOCS, 'security', 'Security'),
      '/reference/': [
        ...createSection(DOCS, 'reference', 'Reference'),
        ...createSection(DOCS, 'reference/database', 'Database', true),
      ],
      '/': [
        {
          text: 'Project',
          items: [
            { text: 'Contributing', link: '/project/contributing' },
            { text: 'Architecture', link: '/project/architecture' },
            { text: 'Glossary', link: '/glossary' },
            { text: 'Benchmarks', link: '/benchmarks' },
            { text: 'Changelog', link: '/project/changelog' },
          ],
        },
        ...createSection(DOCS, 'adr', 'Decisions'),
      ],
    },
  },
  markdown: {
    config(md) {
      renderDiagrams(md);
      linkRepositoryFiles(md);
    },
  },
  vite: {
    // The bundler of this project only writes current syntax.
    build: { target: 'es2022', chunkSizeWarningLimit: 2_000 },
    // Only browsers draw diagrams. Rendering the pages does not load it.
    ssr: { external: ['mermaid'] },
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
