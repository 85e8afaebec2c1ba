import type { RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

/** Tells whether an element is narrower than a width in rem, before it is painted and when its size changes. */
export function useNarrow(widthRem: number): [ref: RefObject<HTMLDivElement | null>, isNarrow: boolean] {
  const ref = useRef<HTMLDivElement>(null);
  const [isNarrow, setNarrow] = useState(false);
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    const width = widthRem * Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
    const measure = () => setNarrow(element.clientWidth < width);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [widthRem]);
  return [ref, isNarrow];
}
