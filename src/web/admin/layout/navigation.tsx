import { NavLink } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { Link, useLocation } from 'react-router';
import { adminMenu, type MenuEntry, menuEntryAt } from '../../../texts/admin/pages.ts';
import { usePageAt } from '../page-table.ts';
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

/** Link to the first address of an entry, marked on all of its pages. */
function EntryLink({ entry }: { entry: MenuEntry }) {
  const { pathname } = useLocation();
  const [address = ''] = Object.keys(entry.links);
  const isCurrent = entry === menuEntryAt(pathname);
  const Icon = usePageAt(address)?.icon;
  return (
    <NavLink
      ref={useInView(isCurrent)}
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
  if (entry === undefined || links.length < 2) return null;
  return (
    <nav aria-label={entry.title} className={styles.tabs}>
      {links.map(([address, name]) => (
        <Tab key={address} address={address} name={name} isCurrent={address === here} />
      ))}
    </nav>
  );
}

function Tab({ address, name, isCurrent }: { address: string; name: string; isCurrent: boolean }) {
  return (
    <Link
      ref={useInView(isCurrent)}
      to={address}
      className={styles.tab}
      aria-current={isCurrent ? 'page' : undefined}
    >
      {name}
    </Link>
  );
}

/** Returns a ref for a link that is scrolled into view while it is the current one. */
function useInView(isCurrent: boolean) {
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (isCurrent) link.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [isCurrent]);
  return link;
}
