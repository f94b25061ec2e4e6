//! A server that is there at times, in this process and on real TCP.

use std::io;
use std::net::SocketAddr;

use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::mpsc::UnboundedReceiver;

/// What the server does with the next clients.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Mood {
    /// Is not there for as many of them.
    Refuse(u32),
    /// Takes as many of them, and hangs up at once.
    HangUp(u32),
    /// Serves one of them until it has acknowledged as many lines, and then drops the link after
    /// one more that it has read, but not acknowledged.
    Serve(u32),
    /// Serves one of them for as long as it stays.
    Stay,
}

/// What became of it all.
#[derive(Debug, Default)]
pub(crate) struct Log {
    /// The lines, in the order in which they came, none of them twice.
    pub(crate) lines: Vec<String>,
    /// The clients that were let in.
    pub(crate) clients: u32,
}

/// A port that is taken, so that nobody else listens there, and closed, so that nobody gets in.
pub(crate) struct Port(TcpSocket);

impl Port {
    pub(crate) fn any() -> io::Result<Self> {
        Self::at(SocketAddr::from(([127, 0, 0, 1], 0)))
    }

    fn at(addr: SocketAddr) -> io::Result<Self> {
        let socket = TcpSocket::new_v4()?;
        // What is left of earlier links does not keep the port.
        socket.set_reuseaddr(true)?;
        socket.bind(addr)?;
        Ok(Self(socket))
    }

    pub(crate) fn addr(&self) -> io::Result<SocketAddr> {
        self.0.local_addr()
    }

    fn open(self) -> io::Result<TcpListener> {
        self.0.listen(16)
    }
}

/// Goes through its moods, one after the other. Nobody is told of clients that are refused, so
/// `refused` must say so.
///
/// The protocol: the server greets with the number of lines it has, so that a client sends no line
/// twice and leaves none out, and answers every line with `ok`.
pub(crate) async fn serve(
    mut port: Port,
    moods: &[Mood],
    mut refused: UnboundedReceiver<()>,
) -> io::Result<Log> {
    let mut log = Log::default();
    let addr = port.addr()?;
    for mood in moods {
        if let Mood::Refuse(times) = mood {
            for _ in 0..*times {
                refused.recv().await;
            }
            continue;
        }
        let listener = port.open()?;
        let clients = if let Mood::HangUp(clients) = mood { *clients } else { 1 };
        for _ in 0..clients {
            let (link, _) = listener.accept().await?;
            log.clients += 1;
            match mood {
                Mood::Serve(lines) => talk(link, &mut log.lines, Some(*lines)).await?,
                Mood::Stay => talk(link, &mut log.lines, None).await?,
                Mood::HangUp(_) | Mood::Refuse(_) => drop(link),
            }
        }
        drop(listener);
        port = Port::at(addr)?;
    }
    Ok(log)
}

async fn talk(link: TcpStream, log: &mut Vec<String>, most: Option<u32>) -> io::Result<()> {
    let (read, mut write) = link.into_split();
    let mut lines = BufReader::new(read).lines();
    write.write_all(format!("{}\n", log.len()).as_bytes()).await?;
    let mut acknowledged = 0;
    while let Some(line) = lines.next_line().await? {
        log.push(line);
        if most == Some(acknowledged) {
            break;
        }
        write.write_all(b"ok\n").await?;
        acknowledged += 1;
    }
    Ok(())
}
