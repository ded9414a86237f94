import { styleNonce } from './nonce.ts';
import './trusted-html.ts';
import '@mantine/core/styles.css';
import './admin.css';
import { FloatingDelayGroup } from '@floating-ui/react';
import { MantineProvider, Tooltip } from '@mantine/core';
import { ModalsProvider } from '@mantine/modals';
import { QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Outlet } from 'react-router';
import { TOOLTIP } from '../../domain/limits.ts';
import { commonTexts } from '../../texts/admin/forms.ts';
import { usePalette } from '../palette.ts';
import { SignInAgain } from './layout/sign-in-again.tsx';
import { createQueryClient } from './query-client.ts';
import { cssVariables, theme } from './theme.ts';

const MODAL_LABELS = { confirm: commonTexts.confirm, cancel: commonTexts.cancel };

/** Providers of all administration pages: theme, cache and dialogs. */
export function AdminProvider() {
  usePalette('admin');
  const [queryClient] = useState(createQueryClient);
  return (
    <QueryClientProvider client={queryClient}>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={cssVariables}
        defaultColorScheme="auto"
        getStyleNonce={styleNonce}
      >
        <Hints>
          <ModalsProvider labels={MODAL_LABELS}>
            <Outlet />
            <SignInAgain />
          </ModalsProvider>
        </Hints>
      </MantineProvider>
    </QueryClientProvider>
  );
}

/**
 * Groups tooltips: shortly after one has closed, the next opens at once. Mantine's group has no setting for that time; the group
 * it uses internally does, and tooltips use the nearest one.
 */
function Hints({ children }: { children: ReactNode }) {
  return (
    <Tooltip.Group openDelay={TOOLTIP.openMs}>
      <FloatingDelayGroup delay={{ open: TOOLTIP.openMs, close: 0 }} timeoutMs={TOOLTIP.skipMs}>
        {children}
      </FloatingDelayGroup>
    </Tooltip.Group>
  );
}
