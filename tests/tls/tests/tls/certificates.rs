//! Certificates, made on the spot.

use std::net::{IpAddr, Ipv4Addr};

use p256::ecdsa::signature::Signer;
use p256::ecdsa::{Signature, SigningKey as Ecdsa};
use p256::pkcs8::EncodePrivateKey;
use rcgen::{
    BasicConstraints, CertificateParams, IsCa, Issuer, KeyIdMethod, PKCS_ECDSA_P256_SHA256,
    PublicKeyData, SanType, SignatureAlgorithm, SigningKey, date_time_ymd,
};
use rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer};

/// What is wrong with a certificate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Fault {
    None,
    Expired,
    NotYetValid,
    /// It is of another server.
    OtherName,
    /// It is signed by somebody whom the client does not know.
    OtherIssuer,
}

/// A key, and the same one in each run.
pub(crate) struct Key {
    private: Ecdsa,
    public: Vec<u8>,
}

impl Key {
    fn of(seed: u8) -> Self {
        let private = Ecdsa::from_slice(&[seed; 32]).unwrap();
        let public = private.verifying_key().to_encoded_point(false).as_bytes().to_vec();
        Self { private, public }
    }
}

impl PublicKeyData for Key {
    fn der_bytes(&self) -> &[u8] {
        &self.public
    }

    fn algorithm(&self) -> &'static SignatureAlgorithm {
        &PKCS_ECDSA_P256_SHA256
    }
}

impl SigningKey for Key {
    fn sign(&self, message: &[u8]) -> Result<Vec<u8>, rcgen::Error> {
        let signature: Signature = self.private.sign(message);
        Ok(signature.to_der().as_bytes().to_vec())
    }
}

fn params(serial: u64) -> CertificateParams {
    let mut params = CertificateParams::default();
    params.serial_number = Some(serial.into());
    params.key_identifier_method = KeyIdMethod::PreSpecified(vec![u8::try_from(serial).unwrap()]);
    params.not_before = date_time_ymd(2020, 1, 1);
    params.not_after = date_time_ymd(4000, 1, 1);
    params
}

fn authority(serial: u64) -> CertificateParams {
    let mut params = params(serial);
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    params
}

/// The issuer that the client knows.
pub(crate) fn root() -> CertificateDer<'static> {
    authority(1).self_signed(&Key::of(1)).unwrap().der().clone()
}

/// A certificate for a server on the loopback, and its key.
pub(crate) fn server(fault: Fault) -> (CertificateDer<'static>, PrivateKeyDer<'static>) {
    let mut params = params(3);
    params.subject_alt_names = vec![match fault {
        Fault::OtherName => SanType::DnsName("other.example".try_into().unwrap()),
        _ => SanType::IpAddress(IpAddr::V4(Ipv4Addr::LOCALHOST)),
    }];
    match fault {
        Fault::Expired => params.not_after = date_time_ymd(2021, 1, 1),
        Fault::NotYetValid => params.not_before = date_time_ymd(3999, 1, 1),
        _ => {}
    }
    let by = if fault == Fault::OtherIssuer { 2 } else { 1 };
    let key = Key::of(3);
    let issuer = Issuer::new(authority(by), Key::of(u8::try_from(by).unwrap()));
    let certificate = params.signed_by(&key, &issuer).unwrap();
    let private = key.private.to_pkcs8_der().unwrap().as_bytes().to_vec();
    (certificate.der().clone(), PrivatePkcs8KeyDer::from(private).into())
}
