import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';

/** The day on which the plate is printed, on paper only. */
export function PrintedDate() {
  const [date, setDate] = useState('');
  useEffect(() => {
    const listen = () =>
      flushSync(() => setDate(new Date().toLocaleDateString(undefined, { dateStyle: 'long' })));
    window.addEventListener('beforeprint', listen);
    return () => window.removeEventListener('beforeprint', listen);
  }, []);
  return <p className="printed-date">{date}</p>;
}
