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
