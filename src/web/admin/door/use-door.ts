import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { type Door, door, me } from '../../api/admin.ts';

/** What the door knows; who is signed in already goes straight to the dashboard. */
export function useDoor(): Door | undefined {
  const navigate = useNavigate();
  const [state, setState] = useState<Door>();
  useEffect(() => {
    let wanted = true;
    const askDoor = async () => {
      const reply = await door();
      if (wanted && reply.ok) setState(reply.value);
    };
    const askWho = async () => {
      const reply = await me();
      if (wanted && reply.ok) await navigate('/admin/dashboard', { replace: true });
    };
    void askDoor();
    void askWho();
    return () => {
      wanted = false;
    };
  }, [navigate]);
  return state;
}
