import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';

interface PageProps {
  title: string;
  /** One sentence on what the view shows. */
  summary?: ComponentChildren;
  /** The view above it: its name and address. */
  parent?: readonly [name: string, href: string];
  actions?: ComponentChildren;
  children: ComponentChildren;
}

let isFirstView = true;

/** A view with its heading, which gets the focus when the view opens. */
export function Page({ title, summary, parent, actions, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · tokenctl emulator`;
  }, [title]);
  useEffect(() => {
    // On the first view of a visit the focus stays at the start of the page.
    if (!isFirstView) heading.current?.focus();
    isFirstView = false;
  }, []);
  return (
    <>
      <header class="page-head">
        <div>
          {parent && (
            <nav aria-label="Breadcrumb" class="breadcrumb">
              <a href={parent[1]}>{parent[0]}</a> <span aria-hidden="true">/</span>
            </nav>
          )}
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {summary && <p class="quiet">{summary}</p>}
        </div>
        {actions && <div class="row">{actions}</div>}
      </header>
      {children}
    </>
  );
}

interface PanelProps {
  title: ComponentChildren;
  chip?: ComponentChildren;
  actions?: ComponentChildren;
  children: ComponentChildren;
}

/** A part of a view under a heading. */
export function Panel({ title, chip, actions, children }: PanelProps) {
  const id = useId();
  return (
    <section class="panel" aria-labelledby={id}>
      <div class="panel-head">
        <h2>
          <span id={id}>{title}</span>
          {chip && <span class="chip">{chip}</span>}
        </h2>
        {actions && <div class="row">{actions}</div>}
      </div>
      {children}
    </section>
  );
}

export interface Notice {
  tone: 'good' | 'bad';
  text: string;
}

/** The outcome of the last action. The regions are always there, so that screen readers announce what appears in them. */
export function NoticeBar({ notice, onDismiss }: { notice: Notice | undefined; onDismiss: () => void }) {
  const content = notice && (
    <div class="notice" data-tone={notice.tone}>
      <p>{notice.text}</p>
      <button type="button" class="small" onClick={onDismiss}>
        Dismiss
      </button>
    </div>
  );
  return (
    <>
      <div role="alert">{notice?.tone === 'bad' && content}</div>
      <div role="status">{notice?.tone === 'good' && content}</div>
    </>
  );
}
