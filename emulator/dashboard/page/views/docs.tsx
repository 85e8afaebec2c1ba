import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Field } from '../components/form.js';
import { EmptyState, Page, Panel } from '../components/page.js';
import { hasWords } from '../format.js';
import { useResource } from '../hooks/emulator.js';
import { hrefTo, type ViewProps } from '../route.js';

interface DocsPage {
  /** That of its file: `emulator`. */
  name: string;
  /** Markdown. */
  text: string;
}

async function loadDocs() {
  const [response, markdown] = await Promise.all([
    fetch('ui/docs.json'),
    import('../components/markdown.js'),
  ]);
  return { pages: (await response.json()) as DocsPage[], ...markdown };
}

const titleOf = (text: string): string => (/^#+ (.*)/.exec(text)?.[1] ?? '').replaceAll('`', '');

/** The documentation of this version, as the emulator serves it. */
export function Docs({ route: { path, query } }: ViewProps) {
  const [, name = 'emulator'] = path;
  const docs = useResource(loadDocs, [], () => false);
  const [find, setFind] = useState('');
  const { pages = [], renderPage, slugOf } = docs.value ?? {};
  const page = pages.find((one) => one.name === name);
  return (
    <Page title={page ? titleOf(page.text) : 'Documentation'} resource={docs}>
      {() => (
        <div class="columns">
          {page && renderPage ? (
            <Article
              content={() => renderPage(page.text, (other = name, at) => hrefTo(['docs', other], { at }))}
              name={name}
              at={query.at}
            />
          ) : (
            <EmptyState title="There is no such page." />
          )}
          <Panel title="Pages">
            <Field kind="search" label="Search the documentation" value={find} onChange={setFind} />
            <ul class="list">
              {(find === '' ? pages : findSections(pages, find)).map(({ name, text }) => (
                <li key={name + text}>
                  <a href={hrefTo(['docs', name], { at: find && slugOf?.(titleOf(text)) })}>
                    {titleOf(text)}
                  </a>
                  <span class="quiet">{name}</span>
                </li>
              ))}
            </ul>
          </Panel>
        </div>
      )}
    </Page>
  );
}

const MOST_FOUND = 30;

/** Finds the sections with all words. */
function findSections(pages: readonly DocsPage[], find: string): DocsPage[] {
  return pages
    .flatMap(({ name, text }) => text.split(/^(?=#{1,3} )/m).map((section) => ({ name, text: section })))
    .filter(({ text }) => hasWords(text, find))
    .slice(0, MOST_FOUND);
}

interface ArticleProps {
  name: string;
  content: () => DocumentFragment;
  /** The id of the heading that it opens at. */
  at: string | undefined;
}

function Article({ name, content, at }: ArticleProps) {
  const article = useRef<HTMLElement>(null);
  useLayoutEffect(() => article.current?.replaceChildren(content()), [name]);
  useLayoutEffect(() => {
    if (at) article.current?.querySelector(`#${CSS.escape(at)}`)?.scrollIntoView();
  }, [name, at]);
  return <article ref={article} class="panel prose" />;
}
