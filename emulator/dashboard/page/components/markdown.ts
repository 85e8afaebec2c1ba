import DOMPurify from 'dompurify';
import { marked } from 'marked';

/** The id of a heading, as links to it have it. */
export const slugOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');

/** Renders a page of the documentation, without its title. @param hrefOf the address of another page, or of this one */
export function renderPage(
  text: string,
  hrefOf: (page: string | undefined, at: string | undefined) => string,
): DocumentFragment {
  const html = marked.parse(text.replace(/^# .*/, ''), { async: false });
  const page = DOMPurify.sanitize(html, { RETURN_DOM_FRAGMENT: true, FORBID_TAGS: ['img', 'style', 'form'] });
  for (const heading of page.querySelectorAll('h2, h3')) heading.id = slugOf(heading.textContent);
  for (const link of page.querySelectorAll('a')) {
    const target = /^(?:([\w-]+)\.md)?(?:#(.+))?$/.exec(link.getAttribute('href') ?? '');
    if (target) link.href = hrefOf(target[1], target[2]);
    // Files that are no pages are not served.
    else if (!link.href.startsWith('https:')) link.removeAttribute('href');
  }
  // What scrolls must be reachable by the keyboard.
  for (const block of page.querySelectorAll<HTMLElement>('pre, table')) block.tabIndex = 0;
  return page;
}
