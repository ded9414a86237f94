import { NavLink, Text } from '@mantine/core';
import { IconHome } from '@tabler/icons-react';
import { useContext, useId } from 'react';
import { Link, useLocation } from 'react-router';
import { commonTexts } from '../../../texts/admin/common.ts';
import { pageAt } from '../../../texts/admin/pages.ts';
import { type AdminGroup, type AdminPage, PageTable } from '../page-table.ts';
import styles from './navigation.module.css';

/** The pages in their groups. */
export function Navigation() {
  const { pathname } = useLocation();
  return (
    <div className={styles.area}>
      <NavLink
        component={Link}
        to="/admin/dashboard"
        label={commonTexts.dashboard}
        leftSection={<IconHome size={18} aria-hidden />}
        active={pathname === '/admin/dashboard'}
        aria-current={pathname === '/admin/dashboard' ? 'page' : undefined}
        className={styles.link}
      />
      {useContext(PageTable).map((group) => (
        <Pages key={group.id} group={group} pathname={pathname} />
      ))}
    </div>
  );
}

function Pages({ group: { title, pages }, pathname }: { group: AdminGroup; pathname: string }) {
  const id = useId();
  return (
    <div role="group" aria-labelledby={id}>
      <Text id={id} component="h2" className={styles.group}>
        {title}
      </Text>
      {pages.map((page) => (
        <PageLink key={page.path} page={page} isCurrent={page.path === pageAt(pathname)} />
      ))}
    </div>
  );
}

function PageLink({
  page: { path, title, icon: Icon },
  isCurrent: here,
}: {
  page: AdminPage;
  isCurrent: boolean;
}) {
  return (
    <NavLink
      component={Link}
      to={path}
      label={title}
      leftSection={<Icon size={18} aria-hidden />}
      active={here}
      aria-current={here ? 'page' : undefined}
      className={styles.link}
    />
  );
}
