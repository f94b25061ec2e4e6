//! A server with TLS, or what is taken for one.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::time::Duration;

use rustls::{ClientConfig, RootCertStore, ServerConfig};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;

use crate::certificates::{self, Fault};

/// How a server begins.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Server {
    Tls(Fault),
    /// It speaks HTTP at once.
    Plain,
    /// It resets the connection once it is greeted.
    Resets,
}

#[derive(Default)]
pub(crate) struct Counted {
    connections: AtomicUsize,
    requests: AtomicUsize,
}

impl Counted {
    /// How many connections there were, and how many requests came by them.
    pub(crate) fn counts(&self) -> (usize, usize) {
        (self.connections.load(SeqCst), self.requests.load(SeqCst))
    }
}

/// Starts it. The first request is answered with 503, the others with 200.
pub(crate) async fn start(server: Server) -> (String, Arc<Counted>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("https://{}/", listener.local_addr().unwrap());
    let counted = Arc::<Counted>::default();
    let fault = if let Server::Tls(fault) = server { fault } else { Fault::None };
    let (certificate, key) = certificates::server(fault);
    let config = ServerConfig::builder_with_provider(Arc::new(rustls_rustcrypto::provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![certificate], key)
        .unwrap();
    let acceptor = TlsAcceptor::from(Arc::new(config));
    let counts = Arc::clone(&counted);
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            counts.connections.fetch_add(1, SeqCst);
            let (acceptor, counts) = (acceptor.clone(), Arc::clone(&counts));
            tokio::spawn(async move {
                match server {
                    Server::Tls(_) => {
                        if let Ok(stream) = acceptor.accept(stream).await {
                            answer(stream, &counts).await;
                        }
                    }
                    Server::Plain => plain(stream).await,
                    Server::Resets => reset(stream).await,
                }
            });
        }
    });
    (url, counted)
}

async fn answer(mut stream: impl AsyncRead + AsyncWrite + Unpin, counts: &Counted) {
    let mut request = Vec::new();
    while !request.windows(4).any(|it| it == b"\r\n\r\n") {
        if stream.read_buf(&mut request).await.unwrap_or(0) == 0 {
            return;
        }
    }
    let status = if counts.requests.fetch_add(1, SeqCst) == 0 { 503 } else { 200 };
    let answer = format!("HTTP/1.1 {status} X\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    stream.write_all(answer.as_bytes()).await.unwrap();
    stream.shutdown().await.unwrap();
}

async fn plain(mut stream: TcpStream) {
    let mut greeting = [0; 1024];
    let _ = stream.read(&mut greeting).await;
    let _ = stream.write_all(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n").await;
    let _ = stream.read(&mut greeting).await;
}

async fn reset(mut stream: TcpStream) {
    let mut greeting = [0; 1024];
    let _ = stream.read(&mut greeting).await;
    #[allow(deprecated)] // a linger of zero does not block
    stream.set_linger(Some(Duration::ZERO)).unwrap();
}

/// What clients go by.
pub(crate) fn trust() -> ClientConfig {
    let mut roots = RootCertStore::empty();
    roots.add(certificates::root()).unwrap();
    ClientConfig::builder_with_provider(Arc::new(rustls_rustcrypto::provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth()
}
