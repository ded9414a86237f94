import { workshopPageTexts } from '../../../../texts/admin/pages.ts';
import { shellTexts } from '../../../../texts/admin/shell.ts';
import { EmptyState } from '../../shell/empty-state.tsx';
import { PageFrame } from '../../shell/page-frame.tsx';

export function Page() {
  return (
    <PageFrame title={workshopPageTexts['/admin/logs'].title}>
      <EmptyState title={shellTexts.underConstruction} />
    </PageFrame>
  );
}
