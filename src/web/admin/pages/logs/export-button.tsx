import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { humanSize } from '../../../../texts/admin/amounts.ts';
import { logsTexts } from '../../../../texts/admin/logs.ts';
import { saveFile } from '../../../ui/save-file.ts';
import { toastError, toastSuccess } from '../../../ui/toaster/toast.ts';
import { messageOf } from '../../failure.ts';
import { fetchCsv } from './fetch-csv.ts';

/** «Esporta CSV»: all events, as the server streams them. */
export function ExportButton() {
  const [received, setReceived] = useState<number>();
  const exportAll = async () => {
    setReceived(0);
    try {
      const { name, content } = await fetchCsv(setReceived);
      saveFile(name, content);
      toastSuccess(logsTexts.exported);
    } catch (error) {
      toastError(messageOf(error, logsTexts.exportFailed));
    }
    setReceived(undefined);
  };
  const working = received !== undefined;
  return (
    <Button
      variant="default"
      leftSection={<IconDownload size={18} aria-hidden />}
      disabled={working}
      onClick={() => void exportAll()}
    >
      {working
        ? [logsTexts.exporting, received > 0 && humanSize(received)].filter(Boolean).join(' ')
        : logsTexts.export}
    </Button>
  );
}
