import '../admin.css';
import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { adminDoorTexts } from '../../../texts/admin-door.ts';
import { me, signOut } from '../../api/admin.ts';
import { useGround } from '../../ground.ts';
import { Button } from '../../ui/button.tsx';
import { toastError, toastSuccess } from '../../ui/toaster/toast.ts';
import styles from './page.module.css';

/** Where the administrator arrives: who is signed in, and the way out. */
export function DashboardPage() {
  useGround('light');
  const email = useSignedIn();
  const navigate = useNavigate();
  if (email === undefined) return null;

  async function leave() {
    const reply = await signOut();
    if (!reply.ok) return toastError(reply.messaggio);
    toastSuccess(adminDoorTexts.signedOut);
    await navigate('/admin', { replace: true });
  }
  return (
    <main className={styles.page}>
      <header className={styles.bar}>
        <h1 className={styles.title}>{adminDoorTexts.dashboard}</h1>
        <p className={styles.email}>{email}</p>
        <Button look="quiet" onClick={() => void leave()}>
          {adminDoorTexts.signOut}
        </Button>
      </header>
    </main>
  );
}

/** The signed-in e-mail; without one the door is the place to be (spec 6). */
function useSignedIn(): string | undefined {
  const navigate = useNavigate();
  const [email, setEmail] = useState<string>();
  useEffect(() => {
    let wanted = true;
    const ask = async () => {
      const reply = await me();
      if (!wanted) return;
      if (reply.ok) setEmail(reply.value.email);
      else if (reply.kind === 'refused') await navigate('/admin', { replace: true });
      else toastError(reply.messaggio);
    };
    void ask();
    return () => {
      wanted = false;
    };
  }, [navigate]);
  return email;
}
