import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { hasWords } from '../format.js';
import { useObjects, useRequests } from '../hooks/emulator.js';
import { hrefTo } from '../route.js';
import type { NavigationGroup } from './navigation.js';

const SHORTCUTS = '/ or Ctrl+K: search · ?: this list · Ctrl+Enter: send a form · Esc: close';
const MAX_HITS = 12;

interface Hit {
  kind: string;
  text: string;
  href: string;
}

/** Finds views, objects, requests and tokens. Its dialog lists the shortcuts too. */
export function Search({ groups }: { groups: readonly NavigationGroup[] }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [text, setText] = useState('');
  const open = () => {
    setText('');
    dialog.current?.showModal();
  };
  // Before the first paint: whoever sees the button can already use its key.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!isShortcut(event) || document.querySelector('dialog[open]')) return;
      event.preventDefault();
      open();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
  const hits = useHits(groups, text);
  const close = () => dialog.current?.close();
  return (
    <>
      <button type="button" class="small" onClick={open} aria-keyshortcuts="/ Control+K">
        Search <kbd class="quiet">/</kbd>
      </button>
      <dialog ref={dialog} class="search" aria-label="Search">
        <form
          class="stack"
          onSubmit={(event) => {
            event.preventDefault();
            if (hits[0]) location.hash = hits[0].href;
            close();
          }}
        >
          <input
            type="search"
            aria-label="Find"
            placeholder="Name, ID, trace ID, path or view"
            value={text}
            autocomplete="off"
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
          <ul class="list">
            {hits.map(({ kind, text, href }) => (
              <li key={`${kind} ${href}`}>
                <a href={href} onClick={close}>
                  {text}
                </a>
                <span class="quiet">{kind}</span>
              </li>
            ))}
          </ul>
          <small class="quiet">{SHORTCUTS}</small>
        </form>
      </dialog>
    </>
  );
}

function isShortcut({ key, ctrlKey, metaKey, target }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey) return key === 'k';
  return (
    (key === '/' || key === '?') && !(target as Element).closest('input, textarea, select, [role=textbox]')
  );
}

function useHits(groups: readonly NavigationGroup[], text: string): Hit[] {
  const objects = useObjects();
  const requests = useRequests();
  const words = text.split(/\s+/).filter(Boolean);
  const views = groups.flatMap(([, ...links]) =>
    links.map(([section, name]): Hit => ({ kind: 'view', text: name, href: hrefTo([section]) })),
  );
  if (words.length === 0) return views;
  const hits = [
    ...views,
    ...objects.map(({ collection, id, name }) => ({
      kind: collection,
      text: name,
      href: hrefTo([collection, id]),
      more: id,
    })),
    ...requests.map(({ method, path, status, trace_id }) => ({
      kind: `request, ${status}`,
      text: `${method} ${path}`,
      href: hrefTo(['requests', trace_id]),
      more: trace_id,
    })),
  ].filter((hit) => hasWords(Object.values(hit).join(' '), text));
  const query: Hit = { kind: 'query', text: `Tokens: ${text}`, href: hrefTo(['tokens'], { query: text }) };
  const token: Hit = { kind: 'token', text, href: hrefTo(['tokens', text]) };
  return [...hits.slice(0, MAX_HITS), ...(words.length === 1 ? [token] : []), query];
}
