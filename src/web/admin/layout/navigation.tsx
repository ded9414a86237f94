import { NavLink } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { Link, useLocation } from 'react-router';
import { adminMenu, type MenuEntry, menuEntryAt } from '../../../texts/admin/pages.ts';
import { usePageIcon } from '../page-table.ts';
import styles from './navigation.module.css';

/** The entries of the menu. */
export function Navigation() {
  return (
    <div className={styles.area}>
      {adminMenu.map((entry) => (
        <EntryLink key={entry.title} entry={entry} />
      ))}
    </div>
  );
}

/** Link to the first address of an entry, scrolled into view and marked on all of its pages. */
function EntryLink({ entry }: { entry: MenuEntry }) {
  const { pathname } = useLocation();
  const [address = ''] = Object.keys(entry.links);
  const isCurrent = entry === menuEntryAt(pathname);
  const Icon = usePageIcon(address);
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (isCurrent) link.current?.scrollIntoView({ block: 'nearest' });
  }, [isCurrent]);
  return (
    <NavLink
      ref={link}
      component={Link}
      to={address}
      label={entry.title}
      leftSection={Icon && <Icon size={18} aria-hidden />}
      active={isCurrent}
      aria-current={isCurrent ? (pathname === address ? 'page' : true) : undefined}
      className={styles.link}
    />
  );
}

/** Links between the addresses of the current entry, if it has several. On a phone they scroll sideways. */
export function EntryTabs() {
  const { pathname, hash } = useLocation();
  const entry = menuEntryAt(pathname);
  const links = Object.entries(entry?.links ?? {});
  const here = links.some(([address]) => address === pathname + hash) ? pathname + hash : pathname;
  const row = useRef<HTMLElement>(null);
  useEffect(() => {
    const tab = row.current?.querySelector<HTMLElement>('[aria-current]');
    // Unlike `scrollIntoView`, this never scrolls the page.
    if (tab) tab.parentElement?.scrollTo({ left: tab.offsetLeft - (innerWidth - tab.offsetWidth) / 2 });
  }, [here]);
  if (entry === undefined || links.length < 2) return null;
  return (
    <nav ref={row} aria-label={entry.title} className={styles.tabs}>
      {links.map(([address, name]) => (
        <Link
          key={address}
          to={address}
          className={styles.tab}
          aria-current={address === here ? 'page' : undefined}
        >
          {name}
        </Link>
      ))}
    </nav>
  );
}
