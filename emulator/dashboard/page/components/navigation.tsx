import { useEffect, useRef } from 'preact/hooks';

/** A group of links to views. */
export interface NavigationGroup {
  name: string;
  /** Section, which is the first segment of its routes, and name. */
  links: readonly (readonly [section: string, name: string])[];
}

export function Navigation({ groups, current }: { groups: readonly NavigationGroup[]; current: string }) {
  const nav = useRef<HTMLElement>(null);
  useEffect(() => {
    // On a narrow page the links are in one row that scrolls.
    nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [current]);
  return (
    <nav ref={nav} class="side" aria-label="Views">
      {groups.map(({ name, links }) => (
        <div key={name} class="side-group">
          <p class="side-title">{name}</p>
          <ul>
            {links.map(([section, label]) => (
              <li key={section}>
                <a href={`#/${section}`} aria-current={section === current ? 'page' : undefined}>
                  {label}
                </a>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}
