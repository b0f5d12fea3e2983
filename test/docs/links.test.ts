import { readdir, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { t } from '../tap.ts';
import { listHeadings, listMarkdownFiles, removeCodeBlocks } from './markdown.ts';

const FILES = [
  'README.md',
  'ARCHITECTURE.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'packages/client/README.md',
  ...(await listMarkdownFiles('docs')),
];

for (const file of FILES) {
  t.test(`the local links of ${file} have targets`, async (t) => {
    for (const link of listLocalLinks(await readFile(file, 'utf8'))) {
      const [path = '', anchor] = link.split('#');
      const target = path === '' ? file : join(dirname(file), path);
      const exists = await stat(target).then(
        () => true,
        () => false,
      );
      t.ok(exists, link);
      if (!exists || anchor === undefined || !target.endsWith('.md')) continue;
      const anchors = listAnchors(await readFile(target, 'utf8'));
      t.ok(anchors.has(decodeURIComponent(anchor)), `${link}: the heading exists`);
    }
  });
}

t.test('the source files that ARCHITECTURE.md names exist', async (t) => {
  const folders = await Promise.all(
    ['src', 'test', 'scripts', 'bench', 'packages'].map(async (folder) =>
      (await readdir(folder, { recursive: true })).map((path) => `/${folder}/${path}`),
    ),
  );
  const names = (await readFile('ARCHITECTURE.md', 'utf8')).matchAll(/`([\w./-]+\.(?:ts|tsx|mts))`/g);
  const paths = folders.flat();
  for (const [, name = ''] of names)
    t.ok(
      paths.some((path) => path.endsWith(`/${name}`)),
      name,
    );
});

function listLocalLinks(markdown: string): string[] {
  const text = removeCodeBlocks(markdown).replace(/`[^`\n]*`/g, '');
  const links = [...text.matchAll(/\]\(<?([^)\s>]+)>?\)|(?:src|href)="([^"]+)"/g)];
  return links
    .map(([, markdownLink, htmlLink]) => markdownLink ?? htmlLink ?? '')
    .filter((link) => !/^[a-z]+:|^\//i.test(link));
}

/** List the anchors of the headings of a text, as GitHub and VitePress create them. */
function listAnchors(markdown: string): Set<string> {
  const anchors = new Set<string>();
  for (const heading of listHeadings(markdown)) {
    const slug = heading
      .replace(/^#+ /, '')
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .trim()
      .replace(/ /g, '-');
    let unique = slug;
    for (let number = 1; anchors.has(unique); number++) unique = `${slug}-${number}`;
    anchors.add(unique);
  }
  return anchors;
}
