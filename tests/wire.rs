//! Real sockets on loopback: what the operating system answers is what decides, and the other
//! side counts how often it has been called.

#![allow(clippy::unwrap_used)] // a test that cannot go on should say where
#![allow(clippy::items_after_statements)] // a client stands beside the server it talks to
#![allow(missing_docs, unreachable_pub)]

use std::io::{self, ErrorKind};
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use retry::{Transient, Verdict, retry};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpSocket, TcpStream};

/// A port that is taken but closed: whoever connects to it is refused until it is opened.
struct ClosedPort {
    socket: TcpSocket,
    address: SocketAddr,
}

impl ClosedPort {
    fn take() -> Self {
        let socket = TcpSocket::new_v4().unwrap();
        socket.bind(([127, 0, 0, 1], 0).into()).unwrap();
        let address = socket.local_addr().unwrap();
        Self { socket, address }
    }

    fn open(self) -> TcpListener {
        self.socket.listen(64).unwrap()
    }
}

/// What a server does with one connection.
#[derive(Clone, Copy)]
enum Reaction {
    /// Reads the request and answers with the byte.
    Answer(u8),
    /// Reads the first half of the request and closes, whereupon the system resets the
    /// connection: the request has arrived.
    Reset,
    /// Reads all of the request and closes.
    HangUp,
    /// Reads all of the request and never answers.
    Silence,
}

/// What a client sends: its own number, and a byte that a server may leave unread.
const fn request(client: u8) -> [u8; 2] {
    [client, 0xff]
}

/// A server that counts connections, and asks `react` what to do with the `n`th (from 1) of the
/// client.
struct Server {
    address: SocketAddr,
    connections: Arc<AtomicUsize>,
}

impl Server {
    fn on(
        listener: TcpListener,
        react: impl Fn(u8, usize) -> Reaction + Send + Sync + 'static,
    ) -> Self {
        let address = listener.local_addr().unwrap();
        let connections = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&connections);
        tokio::spawn(async move {
            let of_client: Arc<[AtomicUsize; 256]> =
                Arc::new(std::array::from_fn(|_| AtomicUsize::new(0)));
            let react = Arc::new(react);
            loop {
                let (mut stream, _) = listener.accept().await.unwrap();
                counted.fetch_add(1, Ordering::SeqCst);
                let (of_client, react) = (Arc::clone(&of_client), Arc::clone(&react));
                tokio::spawn(async move {
                    let client = stream.read_u8().await?;
                    let before = of_client[usize::from(client)].fetch_add(1, Ordering::SeqCst);
                    let reaction = react(client, before + 1);
                    if matches!(reaction, Reaction::Reset) {
                        // The system resets a connection that is closed with something unread,
                        // and both bytes have come together.
                        return io::Result::Ok(());
                    }
                    stream.read_u8().await?;
                    match reaction {
                        Reaction::Answer(byte) => stream.write_all(&[byte]).await?,
                        Reaction::Silence => std::future::pending().await,
                        Reaction::Reset | Reaction::HangUp => {}
                    }
                    Ok(())
                });
            }
        });
        Self { address, connections }
    }

    async fn start(react: impl Fn(u8, usize) -> Reaction + Send + Sync + 'static) -> Self {
        Self::on(TcpListener::bind(("127.0.0.1", 0)).await.unwrap(), react)
    }

    fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }
}

/// One exchange with a server.
async fn ask(address: SocketAddr, client: u8) -> io::Result<u8> {
    let mut stream = TcpStream::connect(address).await?;
    stream.write_all(&request(client)).await?;
    stream.read_u8().await
}

/// No test here may hang: a minute is far more than any of them needs.
async fn bounded<T>(test: impl Future<Output = T>) -> T {
    tokio::time::timeout(Duration::from_secs(60), test).await.unwrap()
}

#[tokio::test]
async fn a_refused_connection_is_repeated_until_the_port_is_open() {
    // No `on`: the error knows that nothing has happened on the other side.
    #[retry(stop = attempts(10), wait = fixed(1ms))]
    async fn exchange(
        attempts: &mut usize,
        port: &mut Option<ClosedPort>,
        server: &mut Option<Server>,
        address: SocketAddr,
    ) -> io::Result<u8> {
        *attempts += 1;
        if *attempts == 4 {
            let listener = port.take().unwrap().open();
            *server = Some(Server::on(listener, |_, _| Reaction::Answer(42)));
        }
        ask(address, 1).await
    }
    bounded(async {
        let port = ClosedPort::take();
        let (address, mut attempts, mut server) = (port.address, 0, None);
        let answer = exchange(&mut attempts, &mut Some(port), &mut server, address).await;
        assert_eq!(answer.unwrap(), 42);
        assert_eq!(attempts, 4);
        assert_eq!(server.unwrap().connections(), 1, "the refused ones have not arrived");
    })
    .await;
}

#[tokio::test]
async fn a_port_that_stays_closed_gives_the_real_error() {
    #[retry(stop = attempts(3), wait = exponential(1ms))]
    async fn exchange(attempts: &mut usize, address: SocketAddr) -> io::Result<u8> {
        *attempts += 1;
        ask(address, 1).await
    }
    bounded(async {
        let port = ClosedPort::take();
        let mut attempts = 0;
        let error = exchange(&mut attempts, port.address).await.unwrap_err();
        assert_eq!((error.kind(), attempts), (ErrorKind::ConnectionRefused, 3));
        // The system's own error, not one made up from its text.
        assert!(error.raw_os_error().is_some());
    })
    .await;
}

#[tokio::test]
async fn a_request_that_may_have_taken_effect_is_not_repeated() {
    #[retry(stop = attempts(5), wait = fixed(1ms))]
    async fn exchange(address: SocketAddr) -> io::Result<u8> {
        ask(address, 1).await
    }
    bounded(async {
        for (reaction, kind) in [
            (Reaction::Reset, ErrorKind::ConnectionReset),
            (Reaction::HangUp, ErrorKind::UnexpectedEof),
        ] {
            let server = Server::start(move |_, _| reaction).await;
            assert_eq!(exchange(server.address).await.unwrap_err().kind(), kind);
            assert_eq!(server.connections(), 1, "{kind:?}");
        }
    })
    .await;
}

#[tokio::test]
async fn a_request_that_may_be_repeated_is() {
    #[retry(stop = attempts(5), wait = fixed(1ms), idempotent)]
    async fn exchange(address: SocketAddr) -> io::Result<u8> {
        ask(address, 1).await
    }
    bounded(async {
        for reaction in [Reaction::Reset, Reaction::HangUp] {
            let recovers = Server::start(move |_, n| match n {
                1..=3 => reaction,
                _ => Reaction::Answer(7),
            })
            .await;
            assert_eq!(exchange(recovers.address).await.unwrap(), 7);
            assert_eq!(recovers.connections(), 4);
            let never = Server::start(move |_, _| reaction).await;
            exchange(never.address).await.unwrap_err();
            assert_eq!(never.connections(), 5);
        }
    })
    .await;
}

#[tokio::test]
async fn whether_a_request_may_be_repeated_can_depend_on_it() {
    #[retry(stop = attempts(5), wait = none(), idempotent = method == "GET")]
    async fn exchange(address: SocketAddr, method: &str) -> io::Result<u8> {
        ask(address, method.as_bytes()[0]).await
    }
    bounded(async {
        let server = Server::start(|_, n| match n {
            1 | 2 => Reaction::Reset,
            _ => Reaction::Answer(7),
        })
        .await;
        let error = exchange(server.address, "POST").await.unwrap_err();
        assert_eq!((error.kind(), server.connections()), (ErrorKind::ConnectionReset, 1));
        assert_eq!(exchange(server.address, "GET").await.unwrap(), 7);
        assert_eq!(server.connections(), 4);
    })
    .await;
}

#[tokio::test]
async fn a_connection_refused_before_the_request_and_reset_after_it_are_told_apart() {
    #[retry(stop = attempts(9), wait = fixed(1ms))]
    async fn exchange(
        attempts: &mut usize,
        port: &mut Option<ClosedPort>,
        address: SocketAddr,
    ) -> io::Result<u8> {
        *attempts += 1;
        if *attempts == 3 {
            Server::on(port.take().unwrap().open(), |_, _| Reaction::Reset);
        }
        ask(address, 1).await
    }
    bounded(async {
        let port = ClosedPort::take();
        let (address, mut attempts) = (port.address, 0);
        let error = exchange(&mut attempts, &mut Some(port), address).await.unwrap_err();
        // Refused twice, and then reset, which ends it.
        assert_eq!((error.kind(), attempts), (ErrorKind::ConnectionReset, 3));
    })
    .await;
}

/// A protocol of its own over the same wire: 0 is "done", anything else asks for a wait of so
/// many milliseconds.
#[derive(Debug)]
enum Failure {
    Busy(u8),
    Io(io::Error),
}

impl Transient for Failure {
    fn verdict(&self) -> Verdict {
        match self {
            Self::Busy(millis) => {
                Verdict::Retry.retry_after(Duration::from_millis(u64::from(*millis))).throttled()
            }
            Self::Io(error) => error.verdict(),
        }
    }
}

async fn ask_busy(address: SocketAddr) -> Result<(), Failure> {
    match ask(address, 1).await {
        Ok(0) => Ok(()),
        Ok(millis) => Err(Failure::Busy(millis)),
        Err(error) => Err(Failure::Io(error)),
    }
}

#[tokio::test]
async fn a_busy_server_is_left_alone_for_as_long_as_it_asks() {
    #[retry(
        stop = attempts(9),
        wait = none(),
        max_hint = 50ms,
        sleep = |delay| { sleeps.push(delay); tokio::time::sleep(delay) },
    )]
    async fn exchange(address: SocketAddr, sleeps: &mut Vec<Duration>) -> Result<(), Failure> {
        ask_busy(address).await
    }
    bounded(async {
        let server = Server::start(|_, n| Reaction::Answer([3, 5, 0][n - 1])).await;
        let mut sleeps = Vec::new();
        exchange(server.address, &mut sleeps).await.unwrap();
        assert_eq!(sleeps, [Duration::from_millis(3), Duration::from_millis(5)]);
        assert_eq!(server.connections(), 3);

        let greedy = Server::start(|_, n| Reaction::Answer([3, 51, 0][n - 1])).await;
        let mut sleeps = Vec::new();
        let refused = exchange(greedy.address, &mut sleeps).await;
        assert!(matches!(refused, Err(Failure::Busy(51))));
        assert_eq!((sleeps.len(), greedy.connections()), (1, 2));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn many_clients_at_once_make_the_attempts_they_need_and_no_more() {
    #[retry(stop = attempts(6), wait = fixed(2ms).full_jitter(), idempotent)]
    async fn exchange(address: SocketAddr, client: u8) -> io::Result<u8> {
        ask(address, client).await
    }
    bounded(async {
        // Client n is reset n % 8 times; from the sixth on it has given up.
        let server = Server::start(|client, n| {
            if n <= usize::from(client % 8) { Reaction::Reset } else { Reaction::Answer(client) }
        })
        .await;
        let clients = (0..48_u8).map(|client| {
            let address = server.address;
            tokio::spawn(async move { (client, exchange(address, client).await) })
        });
        let mut expected = 0;
        for client in clients.collect::<Vec<_>>() {
            let (client, result) = client.await.unwrap();
            let needed = usize::from(client % 8) + 1;
            expected += needed.min(6);
            match result {
                Ok(answer) => assert_eq!((answer, needed <= 6), (client, true)),
                Err(error) => {
                    assert_eq!((error.kind(), needed > 6), (ErrorKind::ConnectionReset, true));
                }
            }
        }
        assert_eq!(server.connections(), expected);
    })
    .await;
}

#[tokio::test]
async fn a_client_that_is_dropped_calls_no_more() {
    #[retry(forever, wait = none(), on = any_error(), idempotent)]
    async fn exchange(address: SocketAddr) -> io::Result<u8> {
        ask(address, 1).await
    }
    bounded(async {
        let (arrived, mut arrival) = tokio::sync::mpsc::unbounded_channel();
        let server = Server::start(move |client, n| {
            arrived.send(n).unwrap();
            match (client, n) {
                (1, 1..=2) => Reaction::Reset,
                (1, _) => Reaction::Silence,
                _ => Reaction::Answer(9),
            }
        })
        .await;
        // Dropped in the middle of its third attempt.
        tokio::select! {
            result = exchange(server.address) => unreachable!("{result:?}"),
            () = async { while arrival.recv().await != Some(3) {} } => {}
        }
        assert_eq!(ask(server.address, 2).await.unwrap(), 9);
        assert_eq!(server.connections(), 4);
    })
    .await;
}

#[tokio::test]
async fn a_request_sent_in_a_block_keeps_what_it_has_already_read() {
    bounded(async {
        // Every connection answers one byte and is lost.
        let server = Server::start(|_, n| Reaction::Answer(u8::try_from(n).unwrap())).await;
        let mut read = Vec::new();
        let result: io::Result<()> =
            retry::block!(stop = attempts(8), wait = none(), idempotent, async {
                let mut stream = TcpStream::connect(server.address).await?;
                stream.write_all(&request(1)).await?;
                while read.len() < 4 {
                    read.push(stream.read_u8().await?);
                }
                Ok(())
            });
        result.unwrap();
        assert_eq!((read, server.connections()), (vec![1, 2, 3, 4], 4));
    })
    .await;
}

mod blocking {
    use std::io::{Read, Write};
    use std::net::TcpStream;
    use std::sync::mpsc;

    use super::*;

    #[test]
    fn a_sync_client_waits_for_a_port_that_opens_late() {
        #[retry(stop = attempts(20) | within(1m), wait = fixed(1ms))]
        fn exchange(
            address: SocketAddr,
            refused: &mut usize,
            open: &mpsc::Sender<()>,
            opened: &mpsc::Receiver<()>,
        ) -> io::Result<u8> {
            let mut stream = match TcpStream::connect(address) {
                Ok(stream) => stream,
                Err(error) => {
                    *refused += 1;
                    if *refused == 3 {
                        open.send(()).unwrap();
                        opened.recv().unwrap();
                    }
                    return Err(error);
                }
            };
            stream.write_all(&request(1))?;
            let mut answer = [0];
            stream.read_exact(&mut answer)?;
            Ok(answer[0])
        }

        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let port = {
            let _in_runtime = runtime.enter();
            ClosedPort::take()
        };
        let address = port.address;
        let (open, when_to_open) = mpsc::channel();
        let (is_open, opened) = mpsc::channel();
        let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
        let other_side = std::thread::spawn(move || {
            when_to_open.recv().unwrap();
            runtime.block_on(async {
                let server = Server::on(port.open(), |_, _| Reaction::Answer(42));
                is_open.send(()).unwrap();
                let _ = stopped.await;
                server.connections()
            })
        });
        let mut refused = 0;
        assert_eq!(exchange(address, &mut refused, &open, &opened).unwrap(), 42);
        stop.send(()).unwrap();
        assert_eq!((refused, other_side.join().unwrap()), (3, 1));
    }

    #[test]
    fn a_sync_client_gives_up_on_a_port_that_stays_closed() {
        #[retry(stop = attempts(4), wait = fixed(1ms))]
        fn connect(attempts: &mut usize, address: SocketAddr) -> io::Result<TcpStream> {
            *attempts += 1;
            TcpStream::connect(address)
        }
        let port = ClosedPort::take();
        let mut attempts = 0;
        let error = connect(&mut attempts, port.address).unwrap_err();
        assert_eq!((error.kind(), attempts), (ErrorKind::ConnectionRefused, 4));
    }

    #[test]
    fn a_sync_client_repeats_a_reset_request_only_if_that_is_harmless() {
        #[retry(stop = attempts(5), wait = none(), idempotent = harmless)]
        fn exchange(address: SocketAddr, client: u8, harmless: bool) -> io::Result<u8> {
            let mut stream = TcpStream::connect(address)?;
            stream.write_all(&request(client))?;
            let mut answer = [0];
            stream.read_exact(&mut answer)?;
            Ok(answer[0])
        }
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
        let server = runtime.block_on(Server::start(|client, n| match n {
            1 | 2 => Reaction::Reset,
            _ => Reaction::Answer(client),
        }));
        let error = exchange(server.address, 1, false).unwrap_err();
        assert_eq!((error.kind(), server.connections()), (ErrorKind::ConnectionReset, 1));
        assert_eq!(exchange(server.address, 2, true).unwrap(), 2);
        assert_eq!(server.connections(), 4);
    }
}
